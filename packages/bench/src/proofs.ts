// Measures statements about all actions and all rules of both services, each with a prover that has decided nothing before.
// Writes no files; exits with code 1 if the proofs of a service take longer than the limit.

import { Prover, parseStatements, prove, type Theory } from "@slipway/access/proof"
import { deployTheory } from "@slipway/domain/deploy/entry"
import { actionNames, actions, scopeFacts, theoryOf } from "@slipway/domain/forge/access"
import { median } from "./support/numbers.ts"
import { print, printProgress } from "./support/output.ts"

/** The maximum duration of the proofs of one service in milliseconds. */
const limit = 30_000
const turns = 3

const scopeStatements = actionNames.flatMap((name) =>
  actions[name].scope.map((category) => `prove never not ${scopeFacts[category]}>=${actions[name].access} ${name}`)
)

/** The services with their rules, and the true and false statements about them. */
const services: ReadonlyArray<{
  readonly name: string
  readonly theory: Theory
  readonly statements: ReadonlyArray<string>
}> = [
  {
    name: "forge",
    theory: theoryOf(),
    statements: [
      ...scopeStatements,
      "prove never anonymous *",
      "prove never public-only *",
      "prove public-only implies anonymous on *",
      "prove anonymous implies administrator on *",
      "prove member implies owner on *",
      "prove repository.* implies repository.read",
      "prove equal repository.edit repository.delete",
      "prove live *"
    ]
  },
  {
    name: "deploy",
    theory: deployTheory(),
    statements: [
      "prove never powerless *",
      "prove never reader *",
      "prove reader implies administrator on *",
      "prove writer implies administrator on *",
      "prove deployer implies administrator on *",
      "prove application.* implies application.read",
      "prove equal application.update application.delete",
      "prove live *"
    ]
  }
]

print(`Statements about all rules: median of ${turns} turns\n`)
print("| | actions | statements | cases | time | at most |")
print("|---|---:|---:|---:|---:|---:|")
for (const { name, statements, theory } of services) {
  const times: Array<number> = []
  let cases = 0
  for (let turn = 0; turn < turns; turn++) {
    const before = performance.now()
    const prover = new Prover(theory)
    const proofs = parseStatements(statements.join("\n"), theory).map((statement) => prove(prover, statement))
    times.push(performance.now() - before)
    cases = proofs.reduce((sum, proof) => sum + proof.cases, 0)
  }
  const time = median(times)
  const count = (number: number) => number.toLocaleString("en")
  const names = Object.keys(theory.actions).length
  print(
    `| ${name} | ${count(names)} | ${count(statements.length)} | ${count(cases)} | ${(time / 1000).toFixed(2)} s | ${limit / 1000} s |`
  )
  if (!(time <= limit)) {
    printProgress(`the proofs of ${name} take ${(time / 1000).toFixed(1)} s, at most ${limit / 1000} s`)
    process.exitCode = 1
  }
}
