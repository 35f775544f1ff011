/** The annotation of a schema with a plain encoding function, for encoders that don't walk schemas. */
export const encodedBy = "@slipway/http/encodedBy"
