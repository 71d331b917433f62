// read.go DIR [RESULTS] - count the wrong units of RESULTS, the bytes of all outputs in order.
// SPDX-License-Identifier: Apache-2.0
package main
import ("bufio"; "encoding/json"; "fmt"; "os")
type array struct {
	At, Units, Width, Sign int
	Low, High, Flags, Nan  int64
	Largest uint64; Kind string
}
func get(p []byte, at, n int) (x uint64) { // little endian
	for k := n - 1; k >= 0; k-- { x = x<<8 | uint64(p[at+k]) }
	return
}
func main() {
	bin, _ := os.ReadFile(os.Args[1] + "/vectors.bin")
	lines, _ := os.Open(os.Args[1] + "/vectors.jsonl")
	var got []byte
	if len(os.Args) > 2 { got, _ = os.ReadFile(os.Args[2]) }
	units, wrong, next := 0, 0, 0
	for in := bufio.NewReader(lines); ; {
		line, err := in.ReadBytes('\n')
		if err != nil { break }
		var c struct{ Outputs []array }
		if json.Unmarshal(line, &c) != nil { os.Exit(2) }
		for _, a := range c.Outputs {
			b, real, s, mask := (a.Width+7)/8, a.Kind == "float", uint64(a.Sign)<<(a.Width-1), ^uint64(0)>>(64-a.Width)
			key := func(x uint64) uint64 { if !real || s == 0 { return x ^ s }; if x&s != 0 { return ^x & mask }; return x | s }
			for i := 0; i < a.Units; i, units, next = i+1, units+1, next+b {
				want, f := get(bin, a.At+i*b, b), byte(0)
				x, exact := want, a.Low < 0
				if got != nil { x = get(got, next, b) }
				if !exact { f = bin[int(a.Flags)+i] }
				nan := real && (x&^s > a.Largest || a.Nan >= 0 && x == uint64(a.Nan))
				inside := !exact && !nan && key(get(bin, int(a.Low)+i*b, b)) <= key(x) && key(x) <= key(get(bin, int(a.High)+i*b, b))
				if !(x == want || inside || f&1 != 0 || f&2 != 0 && nan || f&4 != 0 && x == 0 || f&8 != 0 && s != 0 && x == s && !nan) { wrong++ }
			}
		}
	}
	fmt.Printf("%d units, %d wrong\n", units, wrong)
}
