/** The annotation of a schema that encodes its values by a function alone, for encoders that don't walk schemas. */
export const encodedBy = "@slipway/http/encodedBy"
