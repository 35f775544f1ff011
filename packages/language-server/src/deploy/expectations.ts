import { checkDeployScenario } from "@slipway/testkit/deploy-access"
import type { Outcome } from "../expectations.ts"
import type { DeployFile } from "./DeployFile.ts"

const answerText = ({ answer, by }: { readonly answer: string; readonly by: ReadonlyArray<string> }): string =>
  `${answer}${by.length === 0 ? "" : ` by ${by.join(" ")}`}`

/** Returns the lines of the expectations of a scenario of deploy, from 0. */
export const deployExpectations = (file: DeployFile): ReadonlyArray<number> =>
  file.text.split("\n").flatMap((_, line) => (file.words(line).some(({ text }) => text === "->") ? [line] : []))

/** Runs the expectation of a line, or all without a line. Throws the problem of a file that cannot be read. */
export const runDeployExpectations = ({ text }: DeployFile, line?: number): ReadonlyArray<Outcome> =>
  checkDeployScenario("", text).flatMap((checked) =>
    line === undefined || checked.line === line + 1
      ? [
          {
            line: checked.line - 1,
            scenario: "",
            passed: checked.passed,
            expected: answerText(checked.question),
            got: answerText(checked.got),
            path: checked.path
          }
        ]
      : []
  )
