//! Instances of types, with noise, with faults, and torn, as replies of the type.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| response_schema_tests::promise::decode(data));
