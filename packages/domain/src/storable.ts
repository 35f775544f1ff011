/** Makes a text storable in every store: removes NUL characters, and replaces incomplete surrogate pairs. */
export const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed()
