import { assert } from "@effect/vitest"
import { ManifestReader } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"

const read = (...lines: ReadonlyArray<string>) =>
  Effect.flatMap(ManifestReader, (reader) => reader.read(lines.join("\n")))

/** Contract tests of the reader of manifests (files that describe the deployment of a repository). */
export const manifests: Contract<ManifestReader> = {
  port: "ManifestReader",
  musts: {
    "return the content with the line of each key and list entry": Effect.gen(function* () {
      const content = yield* read(
        "{",
        '  "applications": {',
        '    "web": {',
        '      "ports": [',
        "        3000,",
        "        9000",
        "      ],",
        '      "previews": true,',
        '      "start_command": null',
        "    }",
        "  }",
        "}"
      )
      assert.deepStrictEqual(content.value, {
        applications: { web: { ports: [3_000, 9_000], previews: true, start_command: null } }
      })
      assert.deepStrictEqual(
        [...content.lines],
        [
          ["applications", 2],
          ["applications.web", 3],
          ["applications.web.ports", 4],
          ["applications.web.ports.0", 5],
          ["applications.web.ports.1", 6],
          ["applications.web.previews", 8],
          ["applications.web.start_command", 9]
        ]
      )
    }),
    "return the text of each number and boolean as it is written": Effect.gen(function* () {
      const { texts, value } = yield* read("version: 1.10", "list: [007, 0x1F]", "debug: True", 'text: "2.0"', "none:")
      assert.deepStrictEqual(value, { version: 1.1, list: [7, 31], debug: true, text: "2.0", none: null })
      assert.deepStrictEqual(
        [...texts],
        [
          ["version", "1.10"],
          ["list.0", "007"],
          ["list.1", "0x1F"],
          ["debug", "True"]
        ]
      )
    }),
    "report the line of a syntax error": Effect.gen(function* () {
      const { line } = yield* Effect.flip(read("applications:", "  web:", "    ports: [3000"))
      assert.strictEqual(line, 3)
    }),
    "refuse duplicate keys, aliases, tags and several documents": Effect.gen(function* () {
      const refusalOf = (...lines: ReadonlyArray<string>) =>
        Effect.map(Effect.flip(read(...lines)), ({ because, line }) => `${line}: ${because}`)
      assert.strictEqual(yield* refusalOf("a: 1", "b: 2", "a: 3"), "3: the key `a` is repeated")
      assert.strictEqual(yield* refusalOf("a: &x [1]", "b: *x"), "2: YAML aliases are not supported: repeat the value")
      assert.strictEqual(yield* refusalOf("a:", "  b: !secret x"), "2: the tag !secret is not supported")
      assert.strictEqual(yield* refusalOf("a: 1", "---", "b: 2"), "2: it has several documents")
    })
  }
}
