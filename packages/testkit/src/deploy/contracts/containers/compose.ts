import { assert } from "@effect/vitest"
import {
  ComposeReader,
  ComposeRefused,
  type ComposeRequest,
  readComposeProject
} from "@slipway/domain/deploy/containers"
import { Effect, Redacted, Result } from "effect"
import type { Contract } from "../../../contract.ts"
import { type ComposeUnderTest, ComposeWorld, type RepositoryFiles } from "../../composeWorld.ts"

const shop = `services:
  web:
    image: "shop:\${TAG}"
    environment:
      GREETING: "\${GREETING}"
      PRICE: "5 $$ each"
`

const base = `services:
  web:
    image: shop
    environment: {ONE: "1"}
`

const more = `services:
  web:
    environment: {TWO: "2"}
  tool:
    image: tool
    profiles: [tools]
`

const cut = `services:
  web:
    image: shop
    environment: {PASSWORD: "pa$word", PRICE: "5 $$each"}
`

const broken = `services:
  web: {image: shop, unheard_of: 1}
`

// A value arrives unchanged, with any characters.
const greeting = `"it's" $HOME \${HOME} $(id) \\n \\\\" # \`x\`\nnext é\r\n\\`

const written = Effect.fnUntraced(function* (files: RepositoryFiles) {
  const world = yield* ComposeWorld
  yield* world.says(shop, (variables) => ({
    web: {
      image: `shop:${variables.get("TAG")}`,
      environment: { GREETING: variables.get("GREETING") ?? "", PRICE: "5 $ each" }
    }
  }))
  yield* world.says(base, () => ({ web: { image: "shop", environment: { ONE: "1" } } }))
  yield* world.says(more, () => ({ web: { image: "shop", environment: { ONE: "1", TWO: "2" } } }))
  yield* world.says(cut, (variables) => ({
    web: { image: "shop", environment: { PASSWORD: `pa${variables.get("word") ?? ""}`, PRICE: "5 $each" } }
  }))
  yield* world.says(broken, () => new ComposeRefused({ because: "services.web has no field unheard_of" }))
  return yield* world.directory(files)
})

type Asked = Pick<ComposeRequest, "directory"> & Partial<ComposeRequest>

const whole = Effect.fnUntraced(function* (request: Asked) {
  const reader = yield* ComposeReader
  return yield* reader.read({ folder: "/", files: ["/compose.yml"], profiles: [], variables: [], ...request })
})

const reading = (request: Asked) => Effect.map(whole(request), ({ config }) => config)

const servicesIn = (config: unknown, directory: string) => {
  const project = Result.getOrThrow(readComposeProject(config, { directory, allowed: { hostAccess: false } }))
  return project.services.map(({ environment, image, name }) => ({ name, image, environment }))
}

const refusal = Effect.fnUntraced(function* (request: Pick<ComposeRequest, "directory"> & Partial<ComposeRequest>) {
  const failed = yield* Effect.flip(reading(request))
  assert.strictEqual(failed._tag, "ComposeRefused")
  assert.isNotEmpty(failed.because)
  assert.notInclude(failed.because, request.directory)
})

/** Contract tests of compose readers. Every implementation must pass them. */
export const compose: Contract<ComposeUnderTest> = {
  port: "ComposeReader",
  musts: {
    "return the normalized content of the files, with variables filled in": {
      "with any characters in their values": Effect.gen(function* () {
        const directory = yield* written({ "compose.yml": shop })
        const variables = [
          ["TAG", Redacted.make("2")],
          ["GREETING", Redacted.make(greeting)]
        ] as const
        assert.deepStrictEqual(servicesIn(yield* reading({ directory, variables }), directory), [
          {
            name: "web",
            image: "shop:2",
            environment: [
              ["GREETING", greeting],
              ["PRICE", "5 $ each"]
            ]
          }
        ])
      }),
      "of several files, where later ones override earlier ones": Effect.gen(function* () {
        const directory = yield* written({ "deploy/base.yml": base, "deploy/more.yml": more })
        const files = ["deploy/base.yml", "/deploy/more.yml"]
        assert.deepStrictEqual(servicesIn(yield* reading({ directory, folder: "deploy", files }), directory), [
          {
            name: "web",
            image: "shop",
            environment: [
              ["ONE", "1"],
              ["TWO", "2"]
            ]
          }
        ])
      })
    },
    "name the variables that are not set": Effect.gen(function* () {
      const directory = yield* written({ "compose.yml": cut })
      const { config, unset } = yield* whole({ directory })
      assert.deepStrictEqual(unset, ["word"])
      const environment = (password: string) => [
        ["PASSWORD", password],
        ["PRICE", "5 $each"]
      ]
      const web = { name: "web", image: "shop" }
      assert.deepStrictEqual(servicesIn(config, directory), [{ ...web, environment: environment("pa") }] as never)
      const set = yield* whole({ directory, variables: [["word", Redacted.make("ss")]] })
      assert.deepStrictEqual(set.unset, [])
      assert.deepStrictEqual(servicesIn(set.config, directory), [{ ...web, environment: environment("pass") }] as never)
    }),
    "report why files cannot be read": Effect.gen(function* () {
      const directory = yield* written({ "compose.yml": broken })
      yield* refusal({ directory })
      yield* refusal({ directory, files: ["gone.yml"] })
      yield* refusal({ directory, files: [] })
    }),
    "read nothing outside of the directory (invariant I25)": Effect.gen(function* () {
      const directory = yield* written({ "inner/compose.yml": base, "compose.yml": base })
      const inner = `${directory}/inner`
      yield* refusal({ directory: inner, files: ["../compose.yml"] })
      yield* refusal({ directory: inner, folder: "..", files: ["compose.yml"] })
      yield* refusal({ directory: inner, files: ["/../compose.yml"] })
      assert.strictEqual(servicesIn(yield* reading({ directory: inner }), inner).length, 1)
    }),
    "return the normalized content of a text without a repository": Effect.gen(function* () {
      yield* written({})
      const variables = [
        ["TAG", Redacted.make("2")],
        ["GREETING", Redacted.make("hello")]
      ] as const
      const { config, directory, unset } = yield* (yield* ComposeReader).readText({ text: shop, variables })
      const environment = [
        ["GREETING", "hello"],
        ["PRICE", "5 $ each"]
      ]
      assert.deepStrictEqual(servicesIn(config, directory), [{ name: "web", image: "shop:2", environment }] as never)
      assert.deepStrictEqual(unset, [])
      const without = yield* (yield* ComposeReader).readText({ text: cut, variables: [] })
      assert.deepStrictEqual(without.unset, ["word"])
    }),
    "list the services of a text in its order, without filling in variables": Effect.gen(function* () {
      const { outline } = yield* ComposeReader
      const text =
        '{"services": {"web": {"image": "shop:$TAG"}, "db": {"image": "postgres:17"}, "built": {"build": "."}}}'
      assert.deepStrictEqual(yield* outline(text), [
        { name: "web", image: "shop:$TAG" },
        { name: "db", image: "postgres:17" },
        { name: "built", image: null }
      ])
    }),
    "report why a text cannot be read": Effect.gen(function* () {
      yield* written({})
      const { outline, readText } = yield* ComposeReader
      const refusals = [readText({ text: broken, variables: [] }), outline('{"services": {}}'), outline('{"web": {}}')]
      for (const refused of refusals) {
        const failed = yield* Effect.flip(refused as Effect.Effect<unknown, ComposeRefused>)
        assert.strictEqual(failed._tag, "ComposeRefused")
        assert.isNotEmpty(failed.because)
      }
    })
  }
}
