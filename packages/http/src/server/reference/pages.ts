import { type Html, html } from "../pages/html.ts"
import { escapeHtml } from "../wire/escapeHtml.ts"
import type { Group, Operation, Reference } from "./document.ts"
import { descriptionPath, groupPath, referencePath, referenceRoutePaths } from "./paths.ts"
import { fieldOf, sampleOf, schemaBlock, typeOf, withCode } from "./schemas.ts"

/** The URLs of the script and the style sheet; they contain digests of the files. */
export interface Assets {
  readonly script: string
  readonly style: string
}

/** The maximum length of a search in characters. */
export const longestSearch = 100

const searchForm = (
  search: string
): Html => html`<form class="search" role="search" action="${referenceRoutePaths.search}">
<label for="search">Search operations</label>
<input id="search" name="q" type="search" value="${search}" maxlength="${longestSearch}" autocomplete="off">
<button>Search</button>
</form>`

// Bundlers rewrite tagged templates that end a script, and then need a package for it at run time.
const scriptElement = (source: string): Html => ({
  html: `<script src="${escapeHtml(source)}" type="module"></script>`
})

/** Returns a complete HTML page of the API reference. */
export const referencePage = (
  { title: api }: Reference,
  { script, style }: Assets,
  title: string | undefined,
  body: Html,
  search = ""
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === undefined ? "" : `${title} · `}${api}: API reference</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="${style}">
${scriptElement(script)}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="home" href="/">${api}</a>
<nav aria-label="Reference"><a href="${referencePath}">API reference</a> <a href="${descriptionPath}">OpenAPI</a></nav>
${searchForm(search)}
</header>
<main id="content" tabindex="-1">
${body}
</main>
</body>
</html>
`.html

const methodOf = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

const operationLinks = (operations: ReadonlyArray<Operation>): Html =>
  html`<ul class="operations">${operations.map(
    ({ deprecated, group, id, method, path, summary }) =>
      html`<li><a href="${groupPath(group)}#${id}">${summary}</a>${
        deprecated ? html` <span class="deprecated">deprecated</span>` : html``
      }<br>${methodOf(method)} <code>${path}</code></li>`
  )}</ul>`

/** Returns the HTML of the start page of the API reference: all groups, with the number of operations of each. */
export const indexBody = ({ description, groups, title }: Reference): Html => html`<h1>${title}: API reference</h1>
<p>${withCode(description)}</p>
<p>Requests go to paths below <code>/api/v1</code>. Each page shows the operations on one kind of resource, with an
example, and a form that sends a request with your own token.</p>
<ul class="groups">${groups.map(
  ({ description: about, name, operations, title: heading }) =>
    html`<li><h2><a href="${groupPath(name)}">${heading}</a></h2><p>${withCode(about)}</p><p class="count">${
      operations.length === 1 ? "1 operation" : `${operations.length} operations`
    }</p></li>`
)}</ul>`

/** Returns the HTML of the search results. */
export const searchBody = (search: string, operations: ReadonlyArray<Operation>): Html => html`<h1>Search</h1>
<p role="status">${
  operations.length === 0
    ? html`No operation contains “${search}”. Search for parts of a path, such as <code>keys</code>, or <a href="${referencePath}">choose a group</a>.`
    : `${operations.length === 1 ? "1 operation contains" : `${operations.length} operations contain`} “${search}”.`
}</p>
${operationLinks(operations)}`

const exampleOf = ({ body, method, path, parameters }: Operation, reference: Reference): string => {
  const query = parameters.filter((each) => each.in === "query" && each.required).map(({ name }) => `${name}=…`)
  const address = `$URL${path}${query.length === 0 ? "" : `?${query.join("&")}`}`
  return [
    `curl${method === "GET" ? "" : ` --request ${method}`} "${address}"`,
    `  --header "Authorization: Bearer $TOKEN"`,
    ...(body === undefined ? [] : [`  --json '${JSON.stringify(sampleOf(body, reference)).replaceAll("'", "'\\''")}'`])
  ].join(" \\\n")
}

const inputOf = ({ id }: Operation, name: string, where: string, isRequired: boolean): Html => {
  const field = `${id}:${where}:${name}`
  return html`<p><label for="${field}">${name}</label> <input id="${field}" data-in="${where}" data-name="${name}"${
    isRequired ? html` required` : html``
  } autocomplete="off"></p>`
}

/** Returns the form that sends a test request; it is hidden until the script shows it, because it needs JavaScript. */
const trialOf = (operation: Operation, reference: Reference): Html => {
  const { body, id, method, parameters, path, summary } = operation
  const sample = body === undefined ? "" : JSON.stringify(sampleOf(body, reference), null, 2)
  return html`<details class="trial" hidden><summary>Try it<span class="hidden">: ${summary}</span></summary>
<form data-method="${method}" data-path="${path}">
${parameters.filter((each) => each.in !== "header" && each.name !== "sudo").map((each) => inputOf(operation, each.name, each.in, each.required))}${
  body === undefined
    ? html``
    : html`<p><label for="${id}:body">Body</label> <textarea id="${id}:body" data-in="body" rows="6" spellcheck="false">${sample}</textarea></p>`
}
<button>Send request</button>
<output aria-live="polite"></output>
</form></details>`
}

const operationSection = (operation: Operation, reference: Reference): Html => {
  const { body, conditions, deprecated, description, id, method, parameters, path, responses, summary } = operation
  return html`<section id="${id}">
<h2><a href="#${id}">${summary}</a></h2>
<p class="address">${methodOf(method)} <code>${path}</code>${deprecated ? html` <span class="deprecated">deprecated</span>` : html``}</p>
${description === undefined ? html`` : html`<p>${withCode(description)}</p>`}
${conditions.length === 0 ? html`` : html`<p>Access: ${withCode(conditions.join("; "))}.</p>`}
${
  parameters.length === 0
    ? html``
    : html`<h3>Parameters</h3><ul class="fields">${parameters.map((each) =>
        fieldOf(
          each.name,
          `in ${each.in}`,
          { ...(each.description === undefined ? {} : { description: each.description }), ...each.schema },
          each.required
        )
      )}</ul>`
}
${body === undefined ? html`` : html`<h3>Request body</h3>${schemaBlock(body, reference)}`}
<h3>Responses</h3>
<ul class="fields">${responses.map(
    ({ description: meaning, schema, status }) =>
      html`<li><code class="name">${status}</code> <span class="type">${
        schema === undefined ? "no body" : typeOf(schema)
      }</span><p>${withCode(meaning)}</p></li>`
  )}</ul>
<h3>Example</h3>
<pre tabindex="0" aria-label="Example: ${summary}"><code>${exampleOf(operation, reference)}</code></pre>
${trialOf(operation, reference)}
</section>`
}

const credentials = ({ hasPasswords }: Reference): Html => html`<form class="credentials" hidden>
<h2>Credentials for “Try it”</h2>
<p>They stay on this page: they are sent only with your requests, and forgotten when you leave.</p>
${
  hasPasswords
    ? html`<p><label for="credentials:name">Name (empty for a token)</label> <input id="credentials:name" autocomplete="off"></p>`
    : html``
}
<p><label for="credentials:secret">${hasPasswords ? "Token or password" : "Token"}</label> <input id="credentials:secret" type="password" autocomplete="off"></p>
</form>`

/** Returns the HTML for a group of operations, each with parameters, body, responses, an example and a form. */
export const groupBody = (group: Group, reference: Reference): Html => html`<h1>${group.title}</h1>
<p>${withCode(group.description)}</p>
<p>In the examples, <code>URL</code> is the address of this service, and <code>TOKEN</code> an access token.</p>
<nav aria-label="Operations">${operationLinks(group.operations)}</nav>
${credentials(reference)}
${group.operations.map((operation) => operationSection(operation, reference))}`

/** Returns the HTML for a schema with its fields; undefined if there is no schema with this name. */
export const schemaBody = (name: string, reference: Reference): Html | undefined => {
  const schema = reference.schemas.get(name)
  if (schema === undefined) return undefined
  return html`<h1>${name}</h1>
${schema.description === undefined ? html`` : html`<p>${withCode(schema.description)}</p>`}
${schemaBlock(schema, reference)}
<h2>Example</h2>
<pre tabindex="0" aria-label="Example of ${name}"><code>${JSON.stringify(sampleOf(schema, reference), null, 2)}</code></pre>`
}
