/** Tells whether a flag of a query is set that counts as set when it is left out. */
export const isSetUnlessSaid = (flag: "true" | "false" | "1" | "0" | undefined): boolean =>
  flag !== "false" && flag !== "0"

/** Tells whether a flag of a query is set. */
export const isSet = (flag: "true" | "false" | "1" | "0" | undefined): boolean => flag === "true" || flag === "1"
