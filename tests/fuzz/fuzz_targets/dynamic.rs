//! Schemas as people and tools write them, and any JSON in place of one: judged, made strict and lowered.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| response_schema_tests::promise::dynamic(data));
