import { load, policyOf } from "@slipway/domain/forge/access"
import { generic } from "./generic.ts"
import { inTurns } from "./measure.ts"
import { type PreparedQuestion, type Program, peers } from "./peers.ts"
import { questions } from "./world.ts"

/** The minimum factor by which the generic engine is faster than the fastest other library. */
const limit = 5

const slipway: Program = {
  name: "slipway, the rules of the forge",
  prepare: ({ action, loaded }) => {
    const policy = policyOf(action)
    return { plain: () => policy.allows(loaded), explained: () => policy.decide(loaded).allowed }
  }
}

const loop = (asked: ReadonlyArray<PreparedQuestion>, how: keyof PreparedQuestion) => () => {
  let allowed = 0
  for (const each of asked) if (each[how]()) allowed++
  if (allowed === 0) throw new Error("no request is allowed")
}

/** Measures the decisions of the access libraries on the same questions. */
export const measureLibraries = async (): Promise<void> => {
  const programs = [slipway, generic, ...(await peers())].map(({ name, prepare }) => ({
    name,
    asked: questions.map(prepare)
  }))

  const differences = questions.flatMap((question, place) => {
    const answers = programs.map(({ asked, name }) => ({
      name,
      plain: asked[place]?.plain(),
      why: asked[place]?.explained()
    }))
    const expected = answers[0]?.plain
    if (answers.every((each) => each.plain === expected && each.why === expected)) return []
    const said = answers.map((each) => `${each.name} ${each.plain}/${each.why}`).join(", ")
    return [`${question.user} ${question.action} ${question.repository}: ${said}`]
  })
  if (differences.length > 0) {
    console.error(`${differences.length} of ${questions.length} answers differ, such as`)
    for (const difference of differences.slice(0, 10)) console.error(`  ${difference}`)
    process.exitCode = 1
    return
  }

  const rates = inTurns(programs.flatMap(({ asked }) => [loop(asked, "plain"), loop(asked, "explained")]))
  const results = programs.map(({ name }, place) => ({
    name,
    plain: (rates[place * 2] ?? 0) * questions.length,
    explained: (rates[place * 2 + 1] ?? 0) * questions.length
  }))

  const [own, library, ...others] = results
  if (own === undefined || library === undefined) throw new Error("no samples were measured")
  const fastest = Math.max(...others.map((each) => each.plain))
  const number = (value: number) => Math.round(value).toLocaleString("en-US")
  const ratio = (value: number) => `${(own.plain / value).toFixed(1)}x`

  const allowed = programs[0]?.asked.filter((each) => each.plain()).length ?? 0
  console.log(`${number(questions.length)} questions, ${number(allowed)} of them allowed, the same answers from all\n`)
  console.log("| | decisions per second | with reasons | the forge is faster by |")
  console.log("|---|---|---|---|")
  for (const each of results) {
    console.log(
      `| ${each.name} | ${number(each.plain)} | ${number(each.explained)} | ${others.includes(each) ? ratio(each.plain) : ""} |`
    )
  }
  const [loads = 0, records = 0] = inTurns([
    () => {
      for (const { facts } of questions) load("repository", facts)
    },
    () => {
      for (const { action, facts } of questions) policyOf(action).decide(facts)
    }
  ]).map((rate) => rate * questions.length)
  console.log(`\nslipway prepares ${number(loads)} fact records per second, once for each resource,`)
  console.log(`or makes ${number(records)} decisions per second, with reasons, on unprepared records`)
  const least = library.plain / fastest
  console.log(`the generic engine against the fastest peer: ${least.toFixed(1)}x`)
  if (!(least >= limit)) {
    console.error(`below the limit of ${limit}x`)
    process.exitCode = 1
  }
  console.log(
    `slipway against the fastest peer: ${ratio(fastest)}; with reasons: ${(own.explained / fastest).toFixed(1)}x`
  )
}
