//! More enum values than a provider takes.
use response_schema::ResponseSchema;

macro_rules! values {
    ($($a:ident)*) => { values!(@ [$($a)*] [$($a)*]); };
    (@ [$($a:ident)*] $all:tt) => { $(values!(# $a $all);)* };
    (# $a:ident [$($b:ident)*]) => {
        mod $a {
            #[derive(response_schema::ResponseSchema)]
            pub enum Values { $($b),* }
        }
    };
}

values! { A B C D E F G H I J K L M N O P Q R S T U V W X Y Z AA BB CC DD EE FF GG }

#[derive(ResponseSchema)]
struct All {
    a: A::Values, b: B::Values, c: C::Values, d: D::Values, e: E::Values, f: F::Values, g: G::Values, h: H::Values,
    i: I::Values, j: J::Values, k: K::Values, l: L::Values, m: M::Values, n: N::Values, o: O::Values, p: P::Values,
    q: Q::Values, r: R::Values, s: S::Values, t: T::Values, u: U::Values, v: V::Values, w: W::Values, x: X::Values,
    y: Y::Values, z: Z::Values, aa: AA::Values, bb: BB::Values, cc: CC::Values, dd: DD::Values, ee: EE::Values,
}

fn main() {}
