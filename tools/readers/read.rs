// read.rs DIR [RESULTS] - count the wrong units of RESULTS, the bytes of all outputs in order.
// SPDX-License-Identifier: Apache-2.0
use std::{env, fs};
fn get(p: &[u8], at: usize, n: usize) -> u64 {
    (0..n).rev().fold(0, |x, k| x << 8 | p[at + k] as u64) // little endian
}
fn text<'a>(o: &'a str, name: &str) -> &'a str {
    let rest = &o[o.find(&format!("\"{name}\": ")).unwrap() + name.len() + 4..];
    rest[..rest.find([',', '}']).unwrap()].trim_matches('"')
}
fn main() {
    let args: Vec<String> = env::args().collect();
    let (lines, bin) = (fs::read_to_string(format!("{}/vectors.jsonl", args[1])).unwrap(), fs::read(format!("{}/vectors.bin", args[1])).unwrap());
    let got = args.get(2).map(|path| fs::read(path).unwrap());
    let (mut units, mut wrong, mut next) = (0, 0, 0);
    for line in lines.lines() {
        let from = line.find("\"outputs\": [").unwrap();
        let to = line.find("], \"program\": ").unwrap();
        for o in line[from..to].split("{\"shape\"").skip(1) {
            let whole = |name: &str| text(o, name).parse::<i64>().unwrap();
            let (at, n, width, low, high, flags) = (whole("at") as usize, whole("units") as usize, whole("width") as usize, whole("low"), whole("high"), whole("flags"));
            let (real, most, odd) = (text(o, "kind") == "float", text(o, "largest").parse::<u64>().unwrap(), whole("nan"));
            let (b, s, mask) = (std::cmp::max(width / 8, 1), (whole("sign") as u64) << (width - 1), u64::MAX >> (64 - width));
            let key = |x: u64| if !real || s == 0 { x ^ s } else if x & s != 0 { !x & mask } else { x | s };
            for i in 0..n {
                let want = get(&bin, at + i * b, b);
                let x = got.as_ref().map_or(want, |g| get(g, next, b));
                let f = if low < 0 { 0 } else { bin[flags as usize + i] };
                let nan = real && (x & !s > most || (odd >= 0 && x == odd as u64));
                let inside = low >= 0 && !nan && key(get(&bin, low as usize + i * b, b)) <= key(x) && key(x) <= key(get(&bin, high as usize + i * b, b));
                let good = x == want || inside || f & 1 != 0 || (f & 2 != 0 && nan) || (f & 4 != 0 && x == 0) || (f & 8 != 0 && s != 0 && x == s && !nan);
                (units, wrong, next) = (units + 1, wrong + !good as u64, next + b);
            }
        }
    }
    println!("{units} units, {wrong} wrong");
}
