//! Text made in const evaluation.
//!
//! The writer copies whole pieces, and its text is known to be UTF-8 because only text was put. Both
//! need `unsafe`, and both are worth it: in const evaluation a copy of 18 bytes through
//! `split_at_mut` and `copy_from_slice` takes some 110 µs, a byte loop the same, a raw copy 12 µs;
//! and `str::from_utf8` walks a document byte by byte, which took nine tenths of the time of large ones.
//!
//! This file and [`edge`](super::edge) are the two of the crate with `unsafe`.
#![allow(unsafe_code)]

/// Text of at most `N` bytes.
///
/// The first `len` bytes are UTF-8: they start as none, and only a [`Writer`] adds to them.
#[derive(Clone, Copy)]
pub(crate) struct Text<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Text<N> {
    /// No text yet.
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; N], len: 0 }
    }

    /// A writer that adds to the text.
    pub(crate) const fn writer(&mut self) -> Writer<'_> {
        Writer { buffer: &mut self.bytes, fills: true, drafts: false, len: &mut self.len }
    }

    /// The text.
    pub(crate) const fn as_str(&self) -> &str {
        // SAFETY: the first `len` bytes are UTF-8 (see the type), and `len` is at most `N`, for the
        // writer asserts that what it adds fits.
        unsafe { core::str::from_utf8_unchecked(core::slice::from_raw_parts(self.bytes.as_ptr(), self.len)) }
    }
}

/// Text as far as it fits, and how long all of it is: one walk measures and, for most documents, fills too.
///
/// If `len` is at most `N`, the first `len` bytes are UTF-8: a [`Writer`] that drafts stops to fill with the first
/// piece that does not fit, and then `len` is greater.
#[derive(Clone, Copy)]
pub(crate) struct Draft<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Draft<N> {
    /// No text yet.
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; N], len: 0 }
    }

    /// A writer that adds to the text.
    pub(crate) const fn writer(&mut self) -> Writer<'_> {
        Writer { buffer: &mut self.bytes, fills: true, drafts: true, len: &mut self.len }
    }

    /// How long the text is.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The text, if all of it is here.
    pub(crate) const fn text(&self) -> Option<&str> {
        if self.len > N {
            return None;
        }
        // SAFETY: the first `len` bytes are UTF-8 (see the type), and `len` is at most the length of `bytes`.
        Some(unsafe { core::str::from_utf8_unchecked(core::slice::from_raw_parts(self.bytes.as_ptr(), self.len)) })
    }
}

/// Writes text, or only counts it: the same walk measures and fills.
pub(crate) struct Writer<'a> {
    buffer: &'a mut [u8],
    fills: bool,
    /// Whether text that does not fit is counted all the same.
    drafts: bool,
    len: &'a mut usize,
}

impl<'a> Writer<'a> {
    /// A writer that adds the number of bytes to `count`.
    pub(crate) const fn counting(count: &'a mut usize) -> Self {
        Self { buffer: &mut [], fills: false, drafts: false, len: count }
    }

    /// How many bytes were put.
    pub(crate) const fn len(&self) -> usize {
        *self.len
    }

    /// How many bytes still fit.
    pub(crate) const fn room(&self) -> usize {
        if self.fills && !self.drafts { self.buffer.len() - *self.len } else { usize::MAX }
    }

    /// Stops to fill a draft that a piece does not fit into.
    const fn overflow(&mut self) {
        assert!(self.drafts, "the text does not fit its buffer");
        self.fills = false;
    }

    /// Puts text.
    ///
    /// # Panics
    ///
    /// If it does not fit.
    pub(crate) const fn put(&mut self, text: &str) {
        let len = text.len();
        if self.fills && len > self.buffer.len() - *self.len {
            self.overflow();
        }
        if self.fills {
            // SAFETY: the source is a whole `str`; the target has room for it (looked at above; `len` of
            // a writer that fills never exceeds the buffer); they do not overlap, for the buffer is borrowed
            // mutably.
            unsafe {
                core::ptr::copy_nonoverlapping(text.as_ptr(), self.buffer.as_mut_ptr().add(*self.len), len);
            }
        }
        *self.len += len;
    }

    /// Puts text without `front` bytes at its start and `back` bytes at its end.
    ///
    /// # Panics
    ///
    /// If it does not fit, or a cut is not between two characters.
    pub(crate) const fn put_inner(&mut self, text: &str, front: usize, back: usize) {
        let (start, end) = (front, text.len() - back);
        let len = end - start;
        if self.fills && len > self.buffer.len() - *self.len {
            self.overflow();
        }
        if self.fills {
            let whole =
                (start == 0 || text.is_char_boundary(start)) && (end == text.len() || text.is_char_boundary(end));
            assert!(whole, "the text is cut in a character");
            // SAFETY: as in `put`; `start..end` is within the text and ends between characters, so what is
            // copied is UTF-8.
            unsafe {
                core::ptr::copy_nonoverlapping(text.as_ptr().add(start), self.buffer.as_mut_ptr().add(*self.len), len);
            }
        }
        *self.len += len;
    }

    /// Puts a number in decimal digits.
    pub(crate) const fn put_number(&mut self, value: u128) {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        if value >= 10 {
            self.put_number(value / 10);
        }
        self.put(DIGITS[(value % 10) as usize]);
    }
}

/// The text that a walk writes, at run time.
pub(crate) fn to_string(walk: impl Fn(Writer<'_>)) -> String {
    let mut len = 0;
    walk(Writer::counting(&mut len));
    let mut buffer = vec![0; len];
    let mut filled = 0;
    walk(Writer { buffer: &mut buffer, fills: true, drafts: false, len: &mut filled });
    String::from_utf8_lossy(&buffer).into_owned()
}
