import { afterEach, expect, test } from "vitest"
import { runs } from "../../../scripts/vitest/runs.ts"
import { applicationsAt, createAt, endServices, newDirectory, start, token } from "./support.ts"

afterEach(endServices)

const settings = { DEPLOY_DATABASE_URL: "file:data", DEPLOY_TOKEN: token }

const rounds = runs(2)

test("an application exists after kill -9 and a restart if its creation returned 201, in every round", async () => {
  const directory = newDirectory()
  const acknowledged: Array<string> = []
  for (let round = 0; round < rounds; round++) {
    const service = start(directory, settings)
    const base = await service.listening()
    expect(await applicationsAt(base)).toEqual(expect.arrayContaining(acknowledged))
    // Other requests are in progress during the kill; only acknowledged ones must exist.
    const created = Array.from({ length: 1 + 4 * (round % 4) }, async (_, index) => {
      const response = await createAt(base, { domains: `https://r${round}-${index}.example` })
      expect(response.status).toBe(201)
      acknowledged.push(((await response.json()) as { uuid: string }).uuid)
    })
    await Promise.race(created)
    expect(await service.stop("SIGKILL")).toBe("SIGKILL")
    await Promise.allSettled(created)
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(rounds)
  const base = await start(directory, settings).listening()
  expect(await applicationsAt(base)).toEqual(expect.arrayContaining(acknowledged))
})
