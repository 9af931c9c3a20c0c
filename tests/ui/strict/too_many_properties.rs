//! One property more than a provider takes.
use response_schema::ResponseSchema;

macro_rules! parts {
    ($($part:ident)*) => {$(#[derive(response_schema::ResponseSchema)] pub struct $part {
        p0: bool, p1: bool, p2: bool, p3: bool, p4: bool, p5: bool, p6: bool, p7: bool, p8: bool, p9: bool, p10: bool, p11: bool,
        p12: bool, p13: bool, p14: bool, p15: bool, p16: bool, p17: bool, p18: bool, p19: bool, p20: bool, p21: bool, p22: bool, p23: bool,
        p24: bool, p25: bool, p26: bool, p27: bool, p28: bool, p29: bool, p30: bool, p31: bool, p32: bool, p33: bool, p34: bool, p35: bool,
        p36: bool, p37: bool, p38: bool, p39: bool, p40: bool, p41: bool, p42: bool, p43: bool, p44: bool, p45: bool, p46: bool, p47: bool,
    })*};
}

macro_rules! groups {
    ($($group:ident)*) => {$(mod $group {
        parts! { A B C D E F G H I J }

        #[derive(response_schema::ResponseSchema)]
        pub struct Ten { a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J }
    })*};
}

groups! { a b c d e f g h i j }

#[derive(ResponseSchema)]
struct All {
    a: a::Ten, b: b::Ten, c: c::Ten, d: d::Ten, e: e::Ten, f: f::Ten, g: g::Ten, h: h::Ten, i: i::Ten, j: j::Ten,
    m0: bool, m1: bool, m2: bool, m3: bool, m4: bool, m5: bool, m6: bool, m7: bool, m8: bool, m9: bool, m10: bool, m11: bool, m12: bool,
    m13: bool, m14: bool, m15: bool, m16: bool, m17: bool, m18: bool, m19: bool, m20: bool, m21: bool, m22: bool, m23: bool, m24: bool, m25: bool,
    m26: bool, m27: bool, m28: bool, m29: bool, m30: bool, m31: bool, m32: bool, m33: bool, m34: bool, m35: bool, m36: bool, m37: bool, m38: bool,
    m39: bool, m40: bool, m41: bool, m42: bool, m43: bool, m44: bool, m45: bool, m46: bool, m47: bool, m48: bool, m49: bool, m50: bool, m51: bool,
    m52: bool, m53: bool, m54: bool, m55: bool, m56: bool, m57: bool, m58: bool, m59: bool, m60: bool, m61: bool, m62: bool, m63: bool, m64: bool,
    m65: bool, m66: bool, m67: bool, m68: bool, m69: bool, m70: bool, m71: bool, m72: bool, m73: bool, m74: bool, m75: bool, m76: bool, m77: bool,
    m78: bool, m79: bool, m80: bool, m81: bool, m82: bool, m83: bool, m84: bool, m85: bool, m86: bool, m87: bool, m88: bool, m89: bool, m90: bool,
}

fn main() {}
