//! More text in names than a provider takes.
use response_schema::ResponseSchema;

macro_rules! parts {
    ($($part:ident)*) => {$(#[derive(response_schema::ResponseSchema)] pub struct $part {
        a_name_that_goes_on_for_0: bool, a_name_that_goes_on_for_1: bool, a_name_that_goes_on_for_2: bool, a_name_that_goes_on_for_3: bool,
        a_name_that_goes_on_for_4: bool, a_name_that_goes_on_for_5: bool, a_name_that_goes_on_for_6: bool, a_name_that_goes_on_for_7: bool,
        a_name_that_goes_on_for_8: bool, a_name_that_goes_on_for_9: bool, a_name_that_goes_on_for_10: bool, a_name_that_goes_on_for_11: bool,
        a_name_that_goes_on_for_12: bool, a_name_that_goes_on_for_13: bool, a_name_that_goes_on_for_14: bool, a_name_that_goes_on_for_15: bool,
        a_name_that_goes_on_for_16: bool, a_name_that_goes_on_for_17: bool, a_name_that_goes_on_for_18: bool, a_name_that_goes_on_for_19: bool,
        a_name_that_goes_on_for_20: bool, a_name_that_goes_on_for_21: bool, a_name_that_goes_on_for_22: bool, a_name_that_goes_on_for_23: bool,
        a_name_that_goes_on_for_24: bool, a_name_that_goes_on_for_25: bool, a_name_that_goes_on_for_26: bool, a_name_that_goes_on_for_27: bool,
        a_name_that_goes_on_for_28: bool, a_name_that_goes_on_for_29: bool, a_name_that_goes_on_for_30: bool, a_name_that_goes_on_for_31: bool,
        a_name_that_goes_on_for_32: bool, a_name_that_goes_on_for_33: bool, a_name_that_goes_on_for_34: bool, a_name_that_goes_on_for_35: bool,
        a_name_that_goes_on_for_36: bool, a_name_that_goes_on_for_37: bool, a_name_that_goes_on_for_38: bool, a_name_that_goes_on_for_39: bool,
        a_name_that_goes_on_for_40: bool, a_name_that_goes_on_for_41: bool, a_name_that_goes_on_for_42: bool, a_name_that_goes_on_for_43: bool,
        a_name_that_goes_on_for_44: bool, a_name_that_goes_on_for_45: bool, a_name_that_goes_on_for_46: bool, a_name_that_goes_on_for_47: bool,
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
}

fn main() {}
