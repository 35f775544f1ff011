/** The key of a schema annotation that contains a plain encoding function, for fast encoders. */
export const encodedBy = "@slipway/http/encodedBy"
