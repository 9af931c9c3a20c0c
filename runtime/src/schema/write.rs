//! The byte writer of the const walks.

/// Writes text into a buffer, or, given none, only counts: the same walk measures and fills.
pub(crate) struct Writer<'a> {
    rest: &'a mut [u8],
    len: usize,
}

impl<'a> Writer<'a> {
    /// A writer that counts.
    pub(crate) const fn counting() -> Self {
        Self { rest: &mut [], len: 0 }
    }

    /// A writer that fills `buffer`, which must be large enough for all that is put.
    pub(crate) const fn filling(buffer: &'a mut [u8]) -> Self {
        Self { rest: buffer, len: 0 }
    }

    /// How many bytes were put.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Puts text, whole: a copy of the piece costs const evaluation less than a loop over it.
    pub(crate) const fn put(&mut self, text: &str) {
        let bytes = text.as_bytes();
        self.len += bytes.len();
        if !self.rest.is_empty() {
            let rest = core::mem::replace(&mut self.rest, &mut []);
            let (here, rest) = rest.split_at_mut(bytes.len());
            here.copy_from_slice(bytes);
            self.rest = rest;
        }
    }

    /// Puts a number in decimal digits.
    pub(crate) const fn put_number(&mut self, value: u128) {
        if value >= 10 {
            self.put_number(value / 10);
        }
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        self.put(DIGITS[(value % 10) as usize]);
    }
}
