/** Tells whether a flag of a query is set. */
export const isSet = (flag: "true" | "false" | "1" | "0" | undefined): boolean => flag === "true" || flag === "1"
