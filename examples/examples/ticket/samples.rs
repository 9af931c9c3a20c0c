//! Reports as people write them, as data.
//!
//! The default model has 135 million parameters: it finds what a text says, and is poor at
//! judging what it does not say. So the reporters name the severity in words of their own.

use crate::Severity;

/// A report, and what a careful reader takes from it.
pub(crate) struct Sample {
    pub(crate) report: &'static str,
    pub(crate) build: Option<&'static str>,
    pub(crate) severity: Severity,
}

/// Worked examples for the prompt, one for each severity; none of them is a sample.
pub(crate) const WORKED: &[(&str, &str)] = &[
    (
        "Export to CSV fails since 2.14.3 with an error about permissions. High priority for our team.",
        r#"{"summary": "Export to CSV fails.", "build": "2.14.3", "severity": "high"}"#,
    ),
    (
        "The office is offline and everybody is waiting, this is blocking.",
        r#"{"summary": "The office is offline.", "build": null, "severity": "blocking"}"#,
    ),
    (
        "In 11.0.6 the list jumps to the top after saving. Medium, one can scroll back.",
        r#"{"summary": "The list jumps to the top after saving.", "build": "11.0.6", "severity": "medium"}"#,
    ),
    (
        "A label on the about page is misspelled. Low priority.",
        r#"{"summary": "A label is misspelled.", "build": null, "severity": "low"}"#,
    ),
];

/// What the program reads when it is given nothing.
pub(crate) const SAMPLES: &[Sample] = &[
    Sample {
        report: "Since build 4.2.0 nobody on our team can sign in any more. This is blocking us completely.",
        build: Some("4.2.0"),
        severity: Severity::Blocking,
    },
    Sample {
        report: "There is a typo on the settings page of 1.0.3, it says 'Recieve'. Low priority.",
        build: Some("1.0.3"),
        severity: Severity::Low,
    },
    Sample {
        report: "Search in 3.9.1 returns nothing for words with an umlaut. I'd call it medium, one can still browse.",
        build: Some("3.9.1"),
        severity: Severity::Medium,
    },
    Sample {
        report: "Invoices cannot be printed since version 7.0.2. Please treat this with high priority, customers are waiting.",
        build: Some("7.0.2"),
        severity: Severity::High,
    },
    Sample {
        report: "The logo is two pixels off on the login screen (2.8.0). Severity: low.",
        build: Some("2.8.0"),
        severity: Severity::Low,
    },
    Sample {
        report: "We run 1.8.15 in production and every request fails. It is a blocking problem, nobody can work.",
        build: Some("1.8.15"),
        severity: Severity::Blocking,
    },
    Sample {
        report: "Dark mode forgets its setting after a restart, seen in 5.1.0. Medium severity, switching it on again helps.",
        build: Some("5.1.0"),
        severity: Severity::Medium,
    },
    Sample {
        report: "Uploading files larger than 2 GB fails. That is high on our list.",
        build: None,
        severity: Severity::High,
    },
    Sample {
        report: "Hi! In 6.3.4 the tooltip of the save icon is cut off on the right. Low urgency, thanks!",
        build: Some("6.3.4"),
        severity: Severity::Low,
    },
    Sample {
        report: "The database refuses all connections since we installed 2.0.7 last night. Blocking for the whole company!",
        build: Some("2.0.7"),
        severity: Severity::Blocking,
    },
];
