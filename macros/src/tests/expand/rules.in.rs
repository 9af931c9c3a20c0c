#[response(title = "Order", validate = check_order)]
#[serde(rename_all = "camelCase", default)]
struct OrderV1 {
    #[response(min = 1, max = 99.5)]
    item_count: u8,
    #[response(pattern = r"^\w+$", format = "email", examples("a@b.c", 3))]
    mail: String,
    #[response(validate_with = shop::known)]
    #[serde(alias = "sku")]
    code: Code,
}
