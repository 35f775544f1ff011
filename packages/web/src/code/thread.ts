import { answerEach } from "@slipway/threads/thread"
import hljs from "highlight.js"

/** A request to the worker thread: a text to highlight, and the name of its file. */
export interface Question {
  readonly text: string
  readonly fileName: string
}

/** A part of a line, with the CSS classes for its highlighting. */
export type Token = readonly [classes: string, text: string]

const byName: Readonly<Record<string, string>> = {
  dockerfile: "dockerfile",
  makefile: "makefile",
  "cmakelists.txt": "cmake",
  gemfile: "ruby",
  rakefile: "ruby"
}

const languageOf = (fileName: string): string | undefined => {
  const name = fileName.toLowerCase()
  const language = byName[name] ?? (name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "")
  return hljs.getLanguage(language) === undefined ? undefined : language
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'"
}

/**
 * Splits the HTML output of highlight.js into lines of tokens. The output contains only spans with classes, and five
 * entities.
 */
const tokensOf = (marked: string): Array<Array<Token>> => {
  const lines: Array<Array<Token>> = [[]]
  const open: Array<string> = []
  for (const [part] of marked.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    if (part.startsWith("<span")) open.push(part.slice('<span class="'.length, -2))
    else if (part === "</span>") open.pop()
    else {
      const text = part.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity)
      text.split("\n").forEach((piece, at) => {
        if (at > 0) lines.push([])
        if (piece !== "") lines.at(-1)?.push([open.join(" "), piece])
      })
    }
  }
  return lines
}

answerEach<Question, Array<Array<Token>>>(({ fileName, text }) => {
  const language = languageOf(fileName)
  if (language === undefined) return text.split("\n").map((line) => [["", line]])
  return tokensOf(hljs.highlight(text, { language, ignoreIllegals: true }).value)
})
