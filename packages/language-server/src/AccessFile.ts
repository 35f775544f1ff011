import type { Rulebook } from "@slipway/domain/forge/access"
import type { Definition, FileAnalyser, FileAnalysis, Mark, ReadLine } from "@slipway/testkit/access"
import type { Range } from "vscode-languageserver"

/** One version of an open scenario file (tests of access rules), with its analysis. */
export class AccessFile {
  readonly text: string
  readonly analyser: FileAnalyser
  readonly analysis: FileAnalysis
  private readonly lines: ReadonlyArray<string>

  constructor(text: string, analyser: FileAnalyser) {
    this.text = text
    this.analyser = analyser
    this.lines = text.split(/\r?\n/)
    this.analysis = analyser.analyse(text)
  }

  /** The access rules against which the expectations of the file are checked. */
  get rulebook(): Rulebook {
    return this.analyser.rulebook
  }

  /** Returns the text of a line; empty if there is no such line. */
  line(line: number): string {
    return this.lines[line] ?? ""
  }

  /** Returns the words of a line. */
  read(line: number): ReadLine | undefined {
    return this.analysis.lines[line]
  }

  /** Returns the range of the whole text. */
  get range(): Range {
    const last = this.lines.length - 1
    return { start: { line: 0, character: 0 }, end: { line: last, character: this.line(last).length } }
  }

  /** Returns the name at a position of the file; of nested names, the innermost. */
  markAt(line: number, character: number): Mark | undefined {
    return this.read(line)
      ?.marks.filter(({ end, start }) => start <= character && character <= end)
      .sort((one, other) => one.end - one.start - (other.end - other.start))[0]
  }

  /** Returns the definition of the resource that a name refers to; undefined if there is none. */
  definitionOf({ keys }: Mark, line: number): Definition | undefined {
    const definitions = this.analysis.definitionsAt(line)
    return keys.map((key) => definitions.get(key)).find((found) => found !== undefined)
  }

  /** Returns the names of the resources of a type that a line can refer to. */
  names(type: string, line: number): ReadonlyArray<string> {
    return [...this.analysis.definitionsAt(line).keys()].flatMap((key) =>
      key.startsWith(`${type} `) ? [key.slice(type.length + 1)] : []
    )
  }
}

/** Returns the editor range for columns of a line. */
export const rangeOf = (line: number, { end, start }: { readonly start: number; readonly end: number }): Range => ({
  start: { line, character: start },
  end: { line, character: end }
})
