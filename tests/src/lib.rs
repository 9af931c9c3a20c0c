//! Fixtures and judges that more than one test shares.
