/** English texts of shared variables. */
export const variables = {
  title: "Shared variables",
  none: "No shared variables.",
  hint: "Variables of applications refer to one as",
  valuesHint: "The values are never shown. A change is applied by the next deployment.",
  comment: "Comment",
  literal: "Literal",
  literalHint: "A dollar sign in the value is an ordinary character.",
  bulkHint:
    "One variable per line. KEY=value sets a value, KEY keeps the stored value, and a variable without a line is removed. Values with several lines need the form above.",
  preview: "Preview changes",
  changes: "Changes",
  noChanges: "The text changes nothing.",
  added: "added",
  changed: "new value",
  removed: "removed",
  apply: "Apply changes",
  badLines: {
    form: (line: number) => `Line ${line} must have the form KEY=value or KEY.`,
    repeated: (line: number) => `Line ${line} repeats the name of an earlier line.`,
    noValue: (line: number) => `Line ${line} names a new variable and needs a value: KEY=value.`
  }
}
