// Optional features only: every page works without it.
const each = (selector, act) => {
  for (const element of document.querySelectorAll(selector)) act(element)
}

each("[data-focus]", (element) => element.focus())

// On a narrow screen, the tabs scroll.
each(".tabs a[aria-current]", (tab) => tab.scrollIntoView({ block: "nearest", inline: "nearest" }))

each("time[datetime]", (element) => {
  const at = new Date(element.dateTime)
  element.title = at.toLocaleString(document.documentElement.lang, { dateStyle: "full", timeStyle: "long" })
})

each("button[data-copy]", (button) => {
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    const label = button.querySelector("span")
    const before = label.textContent
    label.textContent = button.dataset.done
    setTimeout(() => {
      label.textContent = before
    }, 2000)
  })
})

const isTyping = (element) => element.matches("input, textarea, select, [contenteditable]")

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const field = document.querySelector("#site-search")
  if (field === null) return
  event.preventDefault()
  field.focus()
})

// Replaces the parts of the page that show the state, except for one with the keyboard focus.
const showParts = (fresh) =>
  each("[data-part]", (part) => {
    const found = fresh.getElementById(part.id)
    if (found !== null && !part.contains(document.activeElement)) part.replaceChildren(...found.childNodes)
  })

// Replaces an element of the page with its new version every few seconds, until the new version is not live.
each("[data-live]", (element) => {
  const note = element.querySelector("[data-live-note]")
  if (note !== null) note.textContent = note.dataset.liveNote
  const update = async () => {
    const response = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => undefined)
    const text = response?.ok && response.url === location.href.split("#")[0] ? await response.text() : undefined
    const fresh = new DOMParser().parseFromString(text ?? "", "text/html")
    const found = fresh.getElementById(element.id)
    showParts(fresh)
    if (found !== null && !element.contains(document.activeElement)) {
      const log = element.querySelector(".log")
      const isAtEnd = log === null || log.scrollTop + log.clientHeight >= log.scrollHeight - 8
      const shown = found.querySelector("[data-live-note]")
      if (shown !== null) shown.textContent = shown.dataset.liveNote
      element.replaceChildren(...found.childNodes)
      const next = element.querySelector(".log")
      if (next !== null) next.scrollTop = isAtEnd ? next.scrollHeight : log.scrollTop
    }
    if (found === null || found.hasAttribute("data-live")) setTimeout(update, Number(element.dataset.live))
    else element.removeAttribute("data-live")
  }
  setTimeout(update, Number(element.dataset.live))
})

// Appends the new lines of a log every few seconds, until the job ends; a job may end without lines.
each("[data-tail]", (element) => {
  const lines = element.querySelector("tbody")
  const view = element.querySelector(".log")
  const note = element.querySelector("[data-live-note]")
  note.textContent = note.dataset.liveNote
  view.scrollTop = view.scrollHeight
  const update = async () => {
    const address = `${location.pathname}?from=${element.dataset.next}`
    const response = await fetch(address, { headers: { accept: "text/html" } }).catch(() => undefined)
    const text = response?.ok && !response.redirected ? await response.text() : ""
    const fresh = new DOMParser().parseFromString(text, "text/html")
    const found = fresh.getElementById(element.id)
    showParts(fresh)
    if (found !== null) {
      const isAtEnd = view.scrollTop + view.clientHeight >= view.scrollHeight - 8
      lines.append(...found.querySelectorAll("tbody tr"))
      element.dataset.next = found.dataset.next
      if (isAtEnd) view.scrollTop = view.scrollHeight
    }
    if (found === null || found.hasAttribute("data-tail")) setTimeout(update, Number(element.dataset.tail))
    else if (lines.childElementCount === 0) element.replaceChildren(...found.childNodes)
    else note.remove()
  }
  setTimeout(update, Number(element.dataset.tail))
})

// Appends the lines of a stream of events to a log; without a connection, the note links to the page.
each("[data-stream]", (element) => {
  const view = element.querySelector(".log")
  const lines = element.querySelector("tbody")
  const note = element.querySelector("[data-live-note]")
  if (view === null || note === null) return
  const link = [...note.childNodes]
  const search = element.dataset.search.toLowerCase()
  const most = 5000
  let last = lines.childElementCount
  view.scrollTop = view.scrollHeight
  const follow = () => {
    if (note.textContent !== note.dataset.liveNote) note.replaceChildren(note.dataset.liveNote)
  }
  const append = ({ data }) => {
    const { at, text } = JSON.parse(data)
    follow()
    if (!text.toLowerCase().includes(search)) return
    const isAtEnd = view.scrollTop + view.clientHeight >= view.scrollHeight - 8
    const row = document.importNode(element.querySelector("template").content.querySelector("tr"), true)
    last += 1
    row.id = `L${last}`
    const anchor = row.querySelector("a")
    anchor.href = `#L${last}`
    anchor.dataset.line = last
    anchor.ariaLabel = last
    const time = row.querySelector("time")
    time.dateTime = at
    time.textContent = at.slice(11, 19)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the color codes of terminals begin with the escape character
    row.lastElementChild.append(` ${text.replace(/\u001b\[[0-9;?]*[A-Za-z]|\r$/g, "")}`)
    element.querySelector(".empty")?.remove()
    lines.append(row)
    if (lines.childElementCount > most) lines.firstElementChild.remove()
    if (isAtEnd) view.scrollTop = view.scrollHeight
  }
  const stream = new EventSource(element.dataset.stream)
  const stop = (message) => {
    stream.close()
    note.replaceChildren(message, " ", ...link)
  }
  stream.addEventListener("open", follow)
  stream.addEventListener("message", append)
  stream.addEventListener("lost", ({ data }) => note.replaceChildren(JSON.parse(data).message))
  stream.addEventListener("unreachable", ({ data }) => note.replaceChildren(JSON.parse(data).message))
  stream.addEventListener("end", ({ data }) => stop(JSON.parse(data).reason))
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) stop("")
  })
})
