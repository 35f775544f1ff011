import type { LabelSettings } from "./Label.ts"

/** A label of a label set for new repositories. */
export type TemplateLabel = Pick<LabelSettings, "name" | "color" | "description" | "exclusive">

const one = (name: string, color: string, description: string): TemplateLabel => ({
  name,
  color,
  description,
  exclusive: name.includes("/")
})

/** The label sets for new repositories, by the names that clients use. */
export const labelTemplates: Readonly<Record<string, ReadonlyArray<TemplateLabel>>> = {
  Default: [
    one("bug", "d73a4a", "It doesn't do what it should"),
    one("documentation", "1d76db", "It is about what is written for readers"),
    one("feature", "0e8a16", "It would do something that it can't yet"),
    one("question", "a371f7", "Somebody needs to know more"),
    one("help wanted", "008672", "Nobody is at it, and hands are welcome"),
    one("good first issue", "7057ff", "Someone new can begin here"),
    one("duplicate", "cfd3d7", "It was said elsewhere before"),
    one("won't fix", "eeeeee", "It stays as it is")
  ],
  Advanced: [
    one("kind/bug", "d73a4a", "It doesn't do what it should"),
    one("kind/documentation", "1d76db", "It is about what is written for readers"),
    one("kind/feature", "0e8a16", "It would do something that it can't yet"),
    one("kind/security", "9c27b0", "Somebody could do what they may not"),
    one("priority/critical", "b60205", "Everything else waits"),
    one("priority/high", "e11d21", "It is among the next"),
    one("priority/medium", "fbca04", "It comes in its turn"),
    one("priority/low", "0e8a16", "It can wait"),
    one("state/needs more", "5319e7", "It can't go on before somebody says more"),
    one("state/confirmed", "0052cc", "Others have seen it too"),
    one("state/blocked", "880e4f", "It waits for something else")
  ]
}
