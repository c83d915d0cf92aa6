// load.js: the beginning of the page. What it consists of is packed into one text: LZMA, which is a sixth smaller here
// than what browsers unpack by themselves, and seven bits of it in each character, since a page is text.
"use strict";

// A character below 128 is seven bits. One above stands for two sevens, of which the first is one of those that no page
// can hold as they are: NUL, CR and <. What is left of the last byte is filling.
function bytesOfText(text) {
  const bytes = new Uint8Array(text.length * 2), absent = [0, 13, 60];
  let n = 0, held = 0, bits = 0;
  const put = seven => {
    held = held << 7 | seven;
    bits += 7;
    if (bits >= 8) bytes[n++] = held >> (bits -= 8);
    held &= 255;
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) put(absent[code - 128 >> 7]);
    put(code & 127);
  }
  return bytes.subarray(0, n);
}

// LZMA of one file as `xz --format=lzma` writes it: its specification is that of the LZMA SDK. It ends with a mark.
function unpack(packed) {
  const lc = packed[0] % 9, lp = Math.floor(packed[0] / 9) % 5, pb = Math.floor(packed[0] / 45);
  const chances = n => new Uint16Array(n).fill(1024), lengths = () => ({choice: chances(2), low: chances(128), mid: chances(128), high: chances(256)});
  const literals = chances(768 << lc + lp), isMatch = chances(192), isRep = chances(12), isRep0 = chances(12), isRep1 = chances(12);
  const isRep2 = chances(12), isRep0Long = chances(192), slots = chances(256), special = chances(128), align = chances(16);
  const matchLengths = lengths(), repLengths = lengths();
  let out = new Uint8Array(1 << 16), n = 0, state = 0, rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0;
  let at = 18, range = 0xffffffff, code = new DataView(packed.buffer, packed.byteOffset).getUint32(14);

  const normalize = () => {
    if (range >= 1 << 24) return;
    range = range * 256;
    code = (code << 8 | packed[at++]) >>> 0;
  };
  const bit = (chance, i) => {
    const bound = (range >>> 11) * chance[i], is = code >= bound;
    if (is) {
      range -= bound;
      code -= bound;
      chance[i] -= chance[i] >> 5;
    } else {
      range = bound;
      chance[i] += 2048 - chance[i] >> 5;
    }
    normalize();
    return is ? 1 : 0;
  };
  const direct = n => {
    let value = 0;
    for (; n > 0; n--) {
      range = range >>> 1;
      const is = code >= range;
      if (is) code -= range;
      value = value << 1 | is;
      normalize();
    }
    return value;
  };
  const tree = (chance, base, bits) => {
    let m = 1;
    for (let i = 0; i < bits; i++) m = m << 1 | bit(chance, base + m);
    return m - (1 << bits);
  };
  const reverse = (chance, base, bits) => {
    let m = 1, value = 0;
    for (let i = 0; i < bits; i++) {
      const is = bit(chance, base + m);
      m = m << 1 | is;
      value |= is << i;
    }
    return value;
  };
  const length = (chance, position) => {
    if (!bit(chance.choice, 0)) return 2 + tree(chance.low, position << 3, 3);
    if (!bit(chance.choice, 1)) return 10 + tree(chance.mid, position << 3, 3);
    return 18 + tree(chance.high, 0, 8);
  };
  const put = byte => {
    if (n === out.length) {
      const more = new Uint8Array(2 * n);
      more.set(out);
      out = more;
    }
    out[n++] = byte;
  };
  const literal = () => {
    const before = n > 0 ? out[n - 1] : 0, base = 768 * (((n & (1 << lp) - 1) << lc) + (before >> 8 - lc));
    let m = 1, match = state >= 7 ? out[n - rep0 - 1] : 0;
    if (state >= 7)
      for (let same = true; m < 256 && same; match <<= 1) {
        const wanted = match >> 7 & 1, is = bit(literals, base + (1 + wanted << 8) + m);
        m = m << 1 | is;
        same = is === wanted;
      }
    while (m < 256) m = m << 1 | bit(literals, base + m);
    put(m & 255);
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  };
  const distance = long => {
    const slot = tree(slots, Math.min(long - 2, 3) << 6, 6), bits = (slot >> 1) - 1;
    if (slot < 4) return slot;
    const base = (2 | slot & 1) << bits;
    if (slot < 14) return base + reverse(special, base - slot, bits);
    return (base + direct(bits - 4) * 16 + reverse(align, 0, 4)) >>> 0;
  };
  // Which of the last four distances; 0 if it is one byte.
  const repeated = position => {
    if (!bit(isRep0, state)) {
      if (!bit(isRep0Long, state * 16 + position)) {
        state = state < 7 ? 9 : 11;
        return 1;
      }
    } else {
      let far = rep1;
      if (bit(isRep1, state)) {
        far = rep2;
        if (bit(isRep2, state)) {
          far = rep3;
          rep3 = rep2;
        }
        rep2 = rep1;
      }
      rep1 = rep0;
      rep0 = far;
    }
    const long = length(repLengths, position);
    state = state < 7 ? 8 : 11;
    return long;
  };

  for (;;) {
    const position = n & (1 << pb) - 1;
    if (!bit(isMatch, state * 16 + position)) {
      literal();
      continue;
    }
    let long;
    if (bit(isRep, state)) long = repeated(position);
    else {
      rep3 = rep2;
      rep2 = rep1;
      rep1 = rep0;
      long = length(matchLengths, position);
      state = state < 7 ? 7 : 10;
      rep0 = distance(long);
      if (rep0 === 0xffffffff) return out.subarray(0, n);
    }
    for (; long > 0; long--) put(out[n - rep0 - 1]);
  }
}

// The parts by their names: the first line tells how long each is, in JSON.
function takeApart(bytes) {
  const parts = {};
  let at = bytes.indexOf(10) + 1;
  for (const [name, length] of Object.entries(JSON.parse(new TextDecoder().decode(bytes.subarray(0, at))))) {
    parts[name] = bytes.subarray(at, at + length);
    at += length;
  }
  return parts;
}

const parts = takeApart(unpack(bytesOfText(document.getElementById("packed").textContent)));
const textOfPart = name => new TextDecoder().decode(parts[name]);
const urlOfPart = name => URL.createObjectURL(new Blob([parts[name]], {type: "text/javascript"}));
const script = document.createElement("script");
script.src = urlOfPart("page");
document.body.append(script);
