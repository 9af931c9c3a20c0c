//! What is the same for every dialect of a type, as a constant that all of them share.
//!
//! The survey of its types, what a document of it amounts to, and the document with its rules left open. A dialect compares
//! the second with its limits, and fills the third. What a comparison does not settle is left to the walks of
//! [`limits`](super::limits), which also find the words.

use super::cycles::{Cycles, Follow};
use super::depth::height;
use super::edge::SchemaRef;
use super::family::{Family, Sends};
use super::limits::sound;
use super::page::{Sketch, Template};
use super::render::document;
use super::shape::is_plain_object;
use super::survey::{Kept, Survey};
use super::weight::{STRICTEST, Weight, weight};
use crate::dialect::{DescribedReference, Dialect, Recursion, Spec};

/// Up to which depth objects are counted; no dialect limits it to more.
const DEEPEST: usize = 10;

/// What is the same for every dialect of a type, in tables of a size.
pub(crate) struct Facts<const PLACES: usize, const SLOTS: usize, const BYTES: usize, const HOLES: usize> {
    survey: Kept<PLACES, SLOTS>,
    totals: Totals,
    sketch: Sketch<BYTES, HOLES>,
}

/// How the document of a type comes about for a dialect.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// Its rules are filled in, in the words of a family.
    Filled(Family),
    /// The dialect may have another form for it than most.
    Apart,
    /// The tables are too small.
    Full,
    /// The dialect may refuse it.
    Doubted,
}

impl<const PLACES: usize, const SLOTS: usize, const BYTES: usize, const HOLES: usize>
    Facts<PLACES, SLOTS, BYTES, HOLES>
{
    /// The facts of the type behind `root`.
    pub(crate) const fn of(root: SchemaRef) -> Self {
        let kept = Kept::of(root);
        let mut sketch = Sketch::new();
        let survey = kept.survey();
        let totals = Totals::of(root, &survey);
        // A look at the size saves most walks that would not fit.
        if totals.sound && totals.weight.properties() <= BYTES / 64 {
            document(root, &survey, &Sends::DIALECT, sketch.page());
        } else {
            sketch.close();
        }
        Self { survey: kept, totals, sketch }
    }

    /// The document with its rules left open, if it fits.
    pub(crate) const fn template(&self) -> Option<Template<'_>> {
        self.sketch.template()
    }

    /// How the document comes about for a dialect.
    pub(crate) const fn way(&self, dialect: &Dialect) -> Way {
        if self.survey.is_full() {
            return Way::Full;
        }
        if !self.totals.fit(dialect) {
            return Way::Doubted;
        }
        match self.template() {
            Some(template) if !self.totals.differ(dialect) => Way::Filled(template.family(dialect)),
            Some(_) => Way::Apart,
            None => Way::Full,
        }
    }
}

/// What a document of a type amounts to.
struct Totals {
    sound: bool,
    height: usize,
    shares: bool,
    circular: bool,
    weight: Weight,
}

impl Totals {
    const fn of(root: SchemaRef, survey: &Survey<'_>) -> Self {
        if !sound(root, survey) {
            // It may have no end.
            let weight = Weight::none(&STRICTEST);
            return Self { sound: false, height: 0, shares: false, circular: false, weight };
        }
        let levels = !is_plain_object(root) as usize;
        Self {
            sound: true,
            height: height(root, levels, survey, DEEPEST),
            shares: survey.shares(),
            circular: survey.shares() && Cycles::of(survey, Follow::All).any(),
            weight: weight(root, survey, &STRICTEST),
        }
    }

    /// Whether it is certain that the dialect takes it with no member left out, but for the length of the text.
    const fn fit(&self, dialect: &Dialect) -> bool {
        let deepest = dialect.limits.depth;
        self.sound
            && (deepest == usize::MAX || (self.height <= DEEPEST && self.height <= deepest))
            && (matches!(dialect.forms.recursion, Recursion::Accepted) || !self.circular)
            && self.weight.fits(dialect)
    }

    /// Whether the dialect may have another form for it than most.
    const fn differ(&self, dialect: &Dialect) -> bool {
        self.shares && matches!(dialect.forms.described_reference, DescribedReference::Parent)
    }
}

#[cfg(test)]
mod tests {
    use super::DEEPEST;
    use crate::dialect::Dialect;

    #[test]
    fn no_dialect_counts_deeper() {
        for Dialect { name, limits, .. } in Dialect::ALL {
            assert!(limits.depth <= DEEPEST || limits.depth == usize::MAX, "{name}");
        }
    }
}
