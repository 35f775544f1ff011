import { describe, expect, it } from "@effect/vitest"
import { Markdown, type MarkdownKind, type MarkdownPlace, markdownKinds } from "@slipway/domain/forge/collaboration"
import { layerMarkdown } from "@slipway/markdown"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { isThorough } from "../../../scripts/vitest/runs.ts"
import { forbiddenPartsOf } from "./support/browser.ts"
import { hostile, odd } from "./support/corpus.ts"

const place: MarkdownPlace = {
  repository: "https://forge.example/acme/site",
  tree: "branch/main",
  folder: "docs/guide"
}
const links = new Map([
  ["#1", "https://forge.example/acme/site/issues/1"],
  ["acme/other!2", "https://forge.example/acme/other/pulls/2"],
  ["@bob", "https://forge.example/bob"]
])

const render = (text: string, kind: MarkdownKind = "file", where: MarkdownPlace | undefined = place) =>
  TestClock.withLive(Effect.flatMap(Markdown, (markdown) => markdown.render({ text, kind, place: where, links })))

const all = (cases: ReadonlyArray<readonly [text: string, html: string]>, kind?: MarkdownKind) =>
  Effect.gen(function* () {
    for (const [text, html] of cases) expect((yield* render(text, kind)).trimEnd()).toBe(html)
  })

/** Parts of documents that make a parser slow or its recursion deep. */
const heavy: ReadonlyArray<readonly [name: string, part: string]> = [
  ["brackets", "["],
  ["links within links", "[a](b"],
  ["pictures within pictures", "![["],
  ["stars", "*a **b "],
  ["quotes within quotes", "> "],
  ["lists within lists", "- "],
  ["elements within elements", "<div>"],
  ["tags that never end", "<a "],
  ["comments that never end", "<!--"],
  ["hosts", "www."],
  ["e-mail addresses", "a@a."],
  ["footnotes", "^["],
  ["dollars", "$a$$"],
  ["references", "#1 "],
  ["pipes", "|-"]
]

describe("Markdown", () => {
  it.effect("render GitHub's tables, task lists, footnotes, alerts, strikethrough, autolinks and code", () =>
    all([
      [
        "| a | b |\n|--:|:-:|\n| 1 | *2* |",
        '<table tabindex="0">\n<thead>\n<tr>\n<th align="right">a</th>\n<th align="center">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="right">1</td>\n<td align="center"><em>2</em></td>\n</tr>\n</tbody>\n</table>'
      ],
      [
        "- [ ] a\n- [x] b\n- c",
        '<ul class="contains-task-list">\n<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" aria-label="a" disabled /> a</li>\n<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" aria-label="b" checked disabled /> b</li>\n<li>c</li>\n</ul>'
      ],
      [
        "a[^n]\n\n[^n]: note",
        '<p>a<sup class="footnote-ref"><a id="user-content-fnref1" href="#user-content-fn1">[1]</a></sup></p>\n<hr class="footnotes-sep" />\n<section class="footnotes">\n<ol class="footnotes-list">\n<li id="user-content-fn1" class="footnote-item"><p>note <a class="footnote-backref" href="#user-content-fnref1">↩︎</a></p>\n</li>\n</ol>\n</section>'
      ],
      [
        "> [!WARNING]\n> Mind *the* gap\n\n> quoted",
        '<div class="markdown-alert markdown-alert-warning">\n<p class="markdown-alert-title">Warning</p>\n<p>Mind <em>the</em> gap</p>\n</div>\n<blockquote>\n<p>quoted</p>\n</blockquote>'
      ],
      ["~~gone~~", "<p><s>gone</s></p>"],
      [
        "https://a.example/b, www.c.example. d@e.example README.md",
        '<p><a href="https://a.example/b" rel="nofollow">https://a.example/b</a>, <a href="http://www.c.example" rel="nofollow">www.c.example</a>. <a href="mailto:d@e.example" rel="nofollow">d@e.example</a> README.md</p>'
      ],
      ["```c++ x\na < b\n```", '<pre tabindex="0"><code class="language-c++">a &lt; b\n</code></pre>']
    ]).pipe(Effect.provide(layerMarkdown()))
  )

  it.effect("render emoji by name, and leave mathematics unchanged", () =>
    all([
      [":tada: :no_such_emoji: `:tada:`", "<p>🎉 :no_such_emoji: <code>:tada:</code></p>"],
      ["$a_1 * b_2 * c_3$ and $$x_i < y_i$$", "<p>$a_1 * b_2 * c_3$ and $$x_i &lt; y_i$$</p>"],
      ["*$5* and *$6*", "<p><em>$5</em> and <em>$6</em></p>"]
    ]).pipe(Effect.provide(layerMarkdown()))
  )

  it.effect("remove everything that runs, loads or posts anything, or changes the style or ids of the page", () =>
    Effect.gen(function* () {
      yield* all(hostile)
      const harmful = "<p onclick=x></p><script></script><a href=javascript:x></a>"
      const harm = ["p onclick=x", "script", "a href=javascript:x"]
      expect(forbiddenPartsOf(harmful)).toEqual([...harm, ...harm])
      for (const text of [...hostile.map(([written]) => written), ...odd]) {
        for (const kind of markdownKinds) {
          const html = yield* render(text, kind)
          expect({ text, kind, harm: forbiddenPartsOf(html) }).toEqual({ text, kind, harm: [] })
        }
      }
    }).pipe(Effect.provide(layerMarkdown()))
  )

  it.effect("resolve relative links and images from the folder of the text, only within its repository", () =>
    Effect.gen(function* () {
      const tree = "https://forge.example/acme/site/src/branch/main"
      for (const [written, to] of [
        ["x.md", `${tree}/docs/guide/x.md`],
        ["./x.md?a=b#c", `${tree}/docs/guide/x.md?a=b#c`],
        ["../x/", `${tree}/docs/x/`],
        ["/x", `${tree}/x`],
        ["../../../../../../evil", `${tree}/evil`],
        ["%2e%2e/.%2E/%2e./%2e%2E/evil", `${tree}/evil`],
        ["/../../evil", `${tree}/evil`]
      ]) {
        expect(yield* render(`[a](${written})`)).toBe(`<p><a href="${to}">a</a></p>\n`)
      }
      expect(yield* render("[a](#b)")).toBe('<p><a href="#user-content-b">a</a></p>\n')
      expect(yield* render("![a](../i.png)")).toBe(
        '<p><img src="https://forge.example/acme/site/media/branch/main/docs/i.png" alt="a" /></p>\n'
      )
      const page = { ...place, tree: undefined, folder: "" }
      expect(yield* render("[a](x) ![b](y.png)", "comment", page)).toBe(
        '<p><a href="https://forge.example/acme/site/x">a</a> <img src="https://forge.example/acme/site/y.png" alt="b" /></p>\n'
      )
      expect(yield* render("[a](x) ![b](y.png)", "wiki", page)).toBe(
        '<p><a href="https://forge.example/acme/site/wiki/x">a</a> <img src="https://forge.example/acme/site/wiki/raw/y.png" alt="b" /></p>\n'
      )
      const nowhere = yield* Effect.flatMap(Markdown, (markdown) =>
        TestClock.withLive(markdown.render({ text: "[a](x)", kind: "markdown", place: undefined, links: new Map() }))
      )
      expect(nowhere).toBe('<p><a href="x">a</a></p>\n')
    }).pipe(Effect.provide(layerMarkdown()))
  )

  it.effect("link images instead of embedding them on request", () =>
    Effect.gen(function* () {
      const { render } = yield* Markdown
      const linked = (text: string) =>
        Effect.map(TestClock.withLive(render({ text, kind: "comment", place, links, pictures: "linked" })), (html) =>
          html.trimEnd()
        )
      const link = (to: string, text: string) => `<p><a href="${to}" rel="nofollow">${text}</a></p>`
      expect(yield* linked("![A <b>](https://track.example/x.png)")).toBe(
        link("https://track.example/x.png", "A &lt;b&gt;")
      )
      expect(yield* linked('<p><img src="//track.example/x" width=1></p>')).toBe('<p><a rel="nofollow">picture</a></p>')
      expect(yield* linked("![](../i.png)")).toBe(
        link("https://forge.example/acme/site/media/branch/main/docs/i.png", "picture")
      )
      expect(yield* linked('<img src="javascript:x" onerror=x alt="a">')).toBe('<a rel="nofollow">a</a>')
      for (const text of [...hostile.map(([written]) => written), ...odd]) {
        const html = yield* linked(text)
        expect({ text, html, loads: /<img/i.test(html), harm: forbiddenPartsOf(html) }).toEqual({
          text,
          html,
          loads: false,
          harm: []
        })
      }
    }).pipe(Effect.provide(layerMarkdown()))
  )

  it.effect("link only the given references, and only outside of code", () =>
    Effect.gen(function* () {
      yield* all([
        [
          "Fixes #1, acme/other!2, @Bob; not #3, @ann, acme/site#1",
          '<p>Fixes <a href="https://forge.example/acme/site/issues/1">#1</a>, <a href="https://forge.example/acme/other/pulls/2">acme/other!2</a>, <a href="https://forge.example/bob">@Bob</a>; not #3, @ann, acme/site#1</p>'
        ],
        ["`#1` \\#1 $#1$ x#1", "<p><code>#1</code> #1 $#1$ x#1</p>"],
        ["[see #1](x)", '<p><a href="https://forge.example/acme/site/src/branch/main/docs/guide/x">see #1</a></p>'],
        ["<a>#1</a>", "<p><a>#1</a></p>"],
        ["**#1**", '<p><strong><a href="https://forge.example/acme/site/issues/1">#1</a></strong></p>']
      ])
      expect(yield* render("#1", "markdown")).toBe("<p>#1</p>\n")
    }).pipe(Effect.provide(layerMarkdown()))
  )

  it.effect("break lines in comments, and give headings of files unique anchors", () =>
    Effect.gen(function* () {
      expect(yield* render("a\nb", "comment")).toBe("<p>a<br />\nb</p>\n")
      expect(yield* render("a\nb", "file")).toBe("<p>a\nb</p>\n")
      expect(yield* render("# A `b` Ü!\n# A b ü", "file")).toBe(
        '<h1 id="user-content-a-b-ü">A <code>b</code> Ü!</h1>\n<h1 id="user-content-a-b-ü-1">A b ü</h1>\n'
      )
      expect(yield* render("# A", "comment")).toBe("<h1>A</h1>\n")
    }).pipe(Effect.provide(layerMarkdown()))
  )

  it.effect("reject a text that is too large", () =>
    Effect.gen(function* () {
      expect(yield* render("ü".repeat(262_144))).toHaveLength(262_144 + "<p></p>\n".length)
      const { problem } = yield* Effect.flip(render("ü".repeat(262_145)))
      expect(problem).toBe("must have at most 524288 bytes")
      const prose = "Some *words* with `code`, a [link](x/y.md) and #1.\n\n- item\n- item\n\n"
      expect((yield* render(prose.repeat(7_000))).match(/<li>/g)).toHaveLength(14_000)
    }).pipe(Effect.provide(layerMarkdown("20 seconds")))
  )

  it.effect("abort a rendering that exceeds its time or size limit, and continue with the next text", () =>
    Effect.gen(function* () {
      const problem = "takes too long to render, or its output is too large"
      const many = `[a]: ${"x".repeat(100_000)}\n\n${"[a] ".repeat(100_000)}`
      const slow = "<svg><p>".repeat(65_000)
      // The test clock moves only for slow texts, so a busy machine changes nothing.
      const rendered = (text: string) =>
        Effect.flatMap(Markdown, (markdown) => markdown.render({ text, kind: "file", place, links }))
      const tooSlow = (text: string) =>
        Effect.gen(function* () {
          const rendering = yield* Effect.forkChild(Effect.flip(rendered(text)))
          while (rendering.pollUnsafe() === undefined) {
            yield* TestClock.withLive(Effect.sleep("5 millis"))
            yield* TestClock.adjust("3 seconds")
          }
          return yield* Fiber.join(rendering)
        })
      expect((yield* Effect.flip(render(many))).problem).toBe(problem)
      expect((yield* tooSlow(slow)).problem).toBe(problem)
      expect(yield* rendered("*a*")).toBe("<p><em>a</em></p>\n")
      const both = yield* Effect.forEach([slow, slow], tooSlow, { concurrency: "unbounded" })
      expect(both.map(({ problem: each }) => each)).toEqual([problem, problem])
      expect(yield* Effect.forEach(["b", "c"], rendered, { concurrency: "unbounded" })).toEqual([
        "<p>b</p>\n",
        "<p>c</p>\n"
      ])
    }).pipe(Effect.provide(layerMarkdown()))
  )

  it.effect.each(heavy)("renders %s in bounded time", ([, part]) =>
    Effect.gen(function* () {
      const text = part.repeat(Math.floor((isThorough ? 500_000 : 100_000) / part.length))
      const exit = yield* Effect.exit(render(text))
      expect(exit._tag === "Success" || exit.cause.toString().includes("MarkdownRefused")).toBe(true)
      expect(yield* render("a", "markdown")).toBe("<p>a</p>\n")
    }).pipe(Effect.provide(layerMarkdown()))
  )
})
