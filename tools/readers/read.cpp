// read.cpp DIR [RESULTS] - count the wrong units of RESULTS, the bytes of all outputs in order.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <string>
static std::string whole(const std::string &path) {
    std::ifstream f(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(f), {}};
}
static uint64_t get(const std::string &p, uint64_t at, uint64_t i, int n) { // little endian
    uint64_t x = 0;
    for (int k = n; k-- > 0;) x = x << 8 | uint8_t(p[at + i * n + k]);
    return x;
}
int main(int argc, char **argv) {
    std::string dir = argv[1], bin = whole(dir + "/vectors.bin"), got = argc > 2 ? whole(argv[2]) : "", line;
    std::ifstream lines(dir + "/vectors.jsonl");
    const std::regex array(R"re("at": (\d+), "units": (\d+), "kind": "(\w+)", "width": (\d+), "sign": (\d), "largest": (\d+), "nan": (-?\d+), "low": (-?\d+), "high": (-?\d+), "flags": (-?\d+))re");
    uint64_t units = 0, wrong = 0, next = 0;
    while (std::getline(lines, line))
        for (std::sregex_iterator m(line.begin(), line.end(), array), end; m != end; ++m) {
            auto number = [&](int i) { return std::stoll((*m)[i]); };
            uint64_t at = number(1), n = number(2), most = std::stoull((*m)[6]), mask = ~0ULL >> (64 - number(4));
            int64_t odd = number(7), low = number(8), high = number(9), flags = number(10);
            int b = number(4) > 8 ? int(number(4)) / 8 : 1;
            bool real = (*m)[3] == "float";
            uint64_t s = uint64_t(number(5)) << (number(4) - 1);
            auto key = [=](uint64_t x) { return !real || !s ? x ^ s : x & s ? ~x & mask : x | s; };
            for (uint64_t i = 0; i < n; i++, units++, next += b) {
                uint64_t want = get(bin, at, i, b), x = argc > 2 ? get(got, next, 0, b) : want, f = low < 0 ? 0 : uint8_t(bin[flags + i]);
                bool nan = real && ((x & ~s) > most || (odd >= 0 && x == uint64_t(odd)));
                bool in = low >= 0 && !nan && key(get(bin, low, i, b)) <= key(x) && key(x) <= key(get(bin, high, i, b));
                wrong += !(x == want || in || f & 1 || (f & 2 && nan) || (f & 4 && x == 0) || (f & 8 && s && x == s && !nan));
            }
        }
    std::cout << units << " units, " << wrong << " wrong\n";
}
