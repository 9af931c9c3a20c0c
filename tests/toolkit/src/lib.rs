//! A crate between response-schema and its user: re-exports it, and makes types with a macro.

pub use response_schema as schema;
pub use serde;

/// Makes a struct of one field, with its schema.
#[macro_export]
macro_rules! model {
    ($(#[$attribute:meta])* $name:ident { $field:ident: $type:ty }) => {
        $(#[$attribute])*
        #[derive($crate::schema::ResponseSchema)]
        #[response(crate = $crate::schema)]
        pub struct $name {
            /// The one field.
            pub $field: $type,
        }
    };
}
