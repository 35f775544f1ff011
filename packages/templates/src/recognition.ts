import { createRequire } from "node:module"
import { WorkShares } from "@slipway/domain"
import {
  type EditorSettings,
  type IssueConfig,
  type IssueTemplate,
  Recognition
} from "@slipway/domain/forge/collaboration"
import { makeThreads, type ThreadLimits, threadModule } from "@slipway/threads"
import { Duration, Effect, Layer } from "effect"
import type { IssueQuestion } from "./issueThread.ts"
import type { Question } from "./thread.ts"

const require = createRequire(import.meta.url)

/** Matches the paths of vendored and generated files, which do not count in language statistics. */
const foreign = /(?:^|\/)(?:node_modules|vendor|third_party|bower_components|\.yarn)\/|[.-]min\.(?:js|css)$/i

/** The language of each file extension that several languages list first. */
const preferred: Readonly<Record<string, string>> = {
  ".cs": "C#",
  ".d": "D",
  ".gd": "GDScript",
  ".h": "C",
  ".html": "HTML",
  ".l": "Lex",
  ".m": "Objective-C",
  ".php": "PHP",
  ".pl": "Perl",
  ".r": "R",
  ".rs": "Rust",
  ".t": "Perl",
  ".ts": "TypeScript",
  ".v": "Verilog"
}

interface Language {
  readonly name: string
  readonly type: string
  readonly extensions?: ReadonlyArray<string>
  readonly filenames?: ReadonlyArray<string>
}

const isWritten = ({ type }: Language): boolean => type === "programming" || type === "markup"

/**
 * Returns maps from file extension and file name to language.
 *
 * If several languages have an extension, the language that lists it earliest wins; of those, the language with the
 * most extensions.
 */
const indexed = (all: ReadonlyArray<Language>) => {
  const endings = new Map<string, { readonly name: string | undefined; readonly better: number }>()
  const names = new Map<string, string | undefined>()
  for (const language of all) {
    const name = isWritten(language) ? language.name : undefined
    for (const file of language.filenames ?? []) if (!names.has(file)) names.set(file, name)
    for (const [rank, ending] of (language.extensions ?? []).entries()) {
      const key = ending.toLowerCase()
      const known = endings.get(key)
      const better = -rank * 1_000 + (language.extensions?.length ?? 0)
      if (known === undefined || better > known.better) endings.set(key, { name, better })
    }
  }
  return { endings, names }
}

/**
 * Returns whether a line is a copyright notice. Reads each character at most twice, so that hostile input takes linear
 * time.
 */
const isHolder = (line: string): boolean => {
  const at = line.search(/\bcopyright\b/)
  return at >= 0 && /\d{4}/.test(line.slice(at))
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/[\n\r\u2028\u2029]/)
    .filter((line) => !isHolder(line))
    .join("\n")
    .match(/[a-z0-9]+/g) ?? []

const counted = (words: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The SPDX ids of the common licences that files are compared with. */
const candidates = [
  "0BSD",
  "AGPL-3.0-only",
  "Apache-2.0",
  "Artistic-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSL-1.0",
  "CC-BY-4.0",
  "CC-BY-SA-4.0",
  "CC0-1.0",
  "EPL-2.0",
  "EUPL-1.2",
  "GPL-2.0-only",
  "GPL-3.0-only",
  "ISC",
  "LGPL-2.1-only",
  "LGPL-3.0-only",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "Unlicense",
  "WTFPL",
  "Zlib"
] as const

interface Counted {
  readonly key: string
  readonly counts: ReadonlyMap<string, number>
  readonly total: number
}

/**
 * The minimum similarity, from 0 to 1, at which a file counts as a licence. It is the Dice coefficient of the words.
 */
const likeness = 0.93

const similarityOf = (one: Counted["counts"], total: number, other: Counted): number => {
  let shared = 0
  for (const [word, count] of one) shared += Math.min(count, other.counts.get(word) ?? 0)
  return (2 * shared) / (total + other.total)
}

const known = (): ReadonlyArray<Counted> =>
  candidates.map((key) => {
    const { licenseText } = require(`spdx-license-list/licenses/${key}.json`) as { readonly licenseText: string }
    const words = wordsOf(licenseText)
    return { key, counts: counted(words), total: words.length }
  })

const licenseOf = (all: ReadonlyArray<Counted>, text: string): string | undefined => {
  const words = wordsOf(text)
  // A text more than twice as long as the longest licence cannot be similar enough.
  if (words.length > 2 * Math.max(...all.map(({ total }) => total))) return undefined
  const counts = counted(words)
  const scored = all.map((each) => ({ key: each.key, score: similarityOf(counts, words.length, each) }))
  const [best] = scored.sort((one, other) => other.score - one.score)
  return best !== undefined && best.score >= likeness ? best.key : undefined
}

const memoized = <A>(make: () => A): (() => A) => {
  let result: { readonly value: A } | undefined
  return () => {
    result ??= { value: make() }
    return result.value
  }
}

const languageOf =
  ({ endings, names }: ReturnType<typeof indexed>) =>
  (path: string): string | undefined => {
    if (foreign.test(path)) return undefined
    const name = path.slice(path.lastIndexOf("/") + 1)
    if (names.has(name)) return names.get(name)
    // The longest known extension counts: `.d.ts` before `.ts`.
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      const ending = name.slice(dot).toLowerCase()
      const found = endings.get(ending)
      if (found !== undefined) return preferred[ending] ?? found.name
    }
    return undefined
  }

/** The limits of parsing. Hostile globs and YAML could run for hours; ordinary files take milliseconds. */
const ordinary: ThreadLimits = {
  threads: 1,
  timeout: Duration.seconds(2),
  memory: 128,
  shares: Effect.service(WorkShares)
}

/**
 * Recognizes the languages of files, licences, and editor settings. Uses linguist-languages, the texts of
 * spdx-license-list, and editorconfig.
 *
 * The data is loaded on first use.
 */
export const layerRecognition: Layer.Layer<Recognition> = Layer.effect(
  Recognition,
  Effect.gen(function* () {
    const settingsFor = yield* makeThreads<Question, EditorSettings>(threadModule(import.meta.url, "thread"), ordinary)
    const issues = yield* makeThreads<IssueQuestion, IssueTemplate | IssueConfig | undefined>(
      threadModule(import.meta.url, "issueThread"),
      ordinary
    )
    const languages = memoized(async () => languageOf(indexed(Object.values(await import("linguist-languages")))))
    const licenses = memoized(known)
    return {
      languages: Effect.promise(languages),
      license: (text) => licenseOf(licenses(), text),
      editorSettings: (settings, path) => Effect.catch(settingsFor({ settings, path }), () => Effect.succeed({})),
      issueTemplate: (file, text) =>
        Effect.catch(issues({ file, text }), () => Effect.succeed(undefined)) as Effect.Effect<
          IssueTemplate | undefined
        >,
      issueConfig: (text) =>
        Effect.catch(issues({ text }), () => Effect.succeed(undefined)) as Effect.Effect<IssueConfig | undefined>
    }
  })
)
