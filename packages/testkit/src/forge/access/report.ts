import type { Answered } from "../ask.ts"
import type { Checked } from "./check.ts"

/** The parts of a checked expectation that a report shows. */
export type Reported = Pick<Checked, "got" | "passed" | "path" | "scenario"> & {
  readonly question: Pick<Checked["question"], "answer" | "by" | "text">
}

const answerText = ({ answer, by }: Answered): string =>
  `${answer === "" ? "nothing" : answer}${by.length === 0 ? "" : ` by ${by.join(" ")}`}`

const details = ({ got, path, question }: Reported): ReadonlyArray<string> => [
  `expected: ${answerText(question)}`,
  `got:      ${answerText(got)}`,
  ...path.map((step) => `  ${step}`)
]

const text = (checked: ReadonlyArray<Reported>): string => {
  const failed = checked.filter(({ passed }) => !passed)
  return [
    ...failed.flatMap((each) => [
      `${each.scenario}: ${each.question.text}`,
      ...details(each).map((line) => `  ${line}`),
      ""
    ]),
    `${checked.length - failed.length} of ${checked.length} expectations are met`
  ].join("\n")
}

const tap = (checked: ReadonlyArray<Reported>): string =>
  [
    "TAP version 14",
    `1..${checked.length}`,
    ...checked.flatMap((each, at) => {
      const title = `${each.scenario}: ${each.question.text}`.replace(/[\\#]/g, (sign) => `\\${sign}`)
      if (each.passed) return [`ok ${at + 1} - ${title}`]
      return [
        `not ok ${at + 1} - ${title}`,
        "  ---",
        `  expected: ${JSON.stringify(answerText(each.question))}`,
        `  got: ${JSON.stringify(answerText(each.got))}`,
        `  path: ${JSON.stringify(each.path)}`,
        "  ..."
      ]
    })
  ].join("\n")

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** Escapes a text for XML and HTML. */
export const escapeXml = (value: string): string => value.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

const junit = (checked: ReadonlyArray<Reported>): string => {
  const suites = [...new Set(checked.map(({ scenario }) => scenario))].map(
    (name) => [name, checked.filter(({ scenario }) => scenario === name)] as const
  )
  const failures = (some: ReadonlyArray<Reported>) => some.filter(({ passed }) => !passed).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${checked.length}" failures="${failures(checked)}">`,
    ...suites.flatMap(([name, some]) => [
      `  <testsuite name="${escapeXml(name)}" tests="${some.length}" failures="${failures(some)}">`,
      ...some.map((each) => {
        const opened = `    <testcase classname="${escapeXml(name)}" name="${escapeXml(each.question.text)}"`
        if (each.passed) return `${opened}/>`
        const message = escapeXml(`expected ${answerText(each.question)}, got ${answerText(each.got)}`)
        return `${opened}><failure message="${message}">${escapeXml(details(each).join("\n"))}</failure></testcase>`
      }),
      "  </testsuite>"
    ]),
    "</testsuites>"
  ].join("\n")
}

/** The output formats of a test report: plain text, TAP, or JUnit XML. */
export const reportFormats = ["text", "tap", "junit"] as const

/** An output format of a test report. */
export type ReportFormat = (typeof reportFormats)[number]

const reports: { readonly [F in ReportFormat]: (checked: ReadonlyArray<Reported>) => string } = { text, tap, junit }

/**
 * Returns a test report on expectations. A failed expectation has the expected and the actual answer, with an
 * explanation.
 */
export const report = (format: ReportFormat, checked: ReadonlyArray<Reported>): string => reports[format](checked)
