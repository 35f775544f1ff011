// The terminal of a container: xterm.js, connected by a WebSocket.
import { FitAddon } from "@xterm/addon-fit"
import { Terminal } from "@xterm/xterm"

// xterm.js creates style elements, which the content security policy of the pages blocks. Constructed style sheets have
// the same effect and need no exception in the policy.
const create = document.createElement.bind(document)
const createStyle = () => {
  const sheet = new CSSStyleSheet()
  const element = create("template")
  const remove = element.remove.bind(element)
  let text = ""
  document.adoptedStyleSheets.push(sheet)
  Object.defineProperty(element, "textContent", {
    get: () => text,
    set: (value) => {
      text = String(value)
      sheet.replaceSync(text)
    }
  })
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    remove()
  }
  return element
}
// For the same reason, the attribute `style` of a span is set as a property.
const setAttribute = HTMLSpanElement.prototype.setAttribute
HTMLSpanElement.prototype.setAttribute = function (name, value) {
  if (name === "style") this.style.cssText = value
  else setAttribute.call(this, name, value)
}
document.createElement = (name, options) => (name === "style" ? createStyle() : create(name, options))

/** The bytes of output after which the browser confirms that it showed them; the server waits for this. */
const confirmAfter = 32_768
const largestMessage = 16_384
const encoder = new TextEncoder()

const frame = document.querySelector("[data-terminal]")
const status = frame.querySelector("[role=status]")
const open = frame.querySelector("[data-open]")
const close = frame.querySelector("[data-close]")
const screen = frame.querySelector("[data-screen]")
const { connected, connecting, label, lost, terminal: address } = frame.dataset

const terminal = new Terminal({
  cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
  fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSize: 13,
  minimumContrastRatio: 4.5,
  theme: { background: "#0e1116", foreground: "#e6eaf0", cursor: "#e6eaf0", selectionBackground: "#2f5587" }
})
const fit = new FitAddon()
terminal.loadAddon(fit)
let socket

const send = (message) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(message)
}
const sendKeys = (bytes) => {
  for (let at = 0; at < bytes.length; at += largestMessage) send(bytes.subarray(at, at + largestMessage))
}
const show = (text, isOpen) => {
  status.textContent = text
  open.hidden = isOpen
  close.hidden = !isOpen
}

const connect = () => {
  const at = new URL(address, location.href)
  at.protocol = at.protocol === "https:" ? "wss:" : "ws:"
  at.searchParams.set("columns", String(terminal.cols))
  at.searchParams.set("rows", String(terminal.rows))
  let shown = 0
  show(connecting, true)
  socket = new WebSocket(at)
  socket.binaryType = "arraybuffer"
  socket.addEventListener("open", () => {
    show(connected, true)
    terminal.reset()
    terminal.focus()
  })
  socket.addEventListener("message", ({ data }) => {
    const bytes = new Uint8Array(data)
    terminal.write(bytes, () => {
      shown += bytes.length
      if (shown < confirmAfter) return
      send(JSON.stringify({ shown }))
      shown = 0
    })
  })
  socket.addEventListener("close", ({ reason }) => {
    show(reason === "" ? lost : reason, false)
    if (screen.contains(document.activeElement)) open.focus()
  })
}

frame.querySelector("[data-needs-script]").remove()
screen.hidden = false
terminal.open(screen)
terminal.textarea.setAttribute("aria-label", label)
fit.fit()
new ResizeObserver(() => fit.fit()).observe(screen)
terminal.onData((text) => sendKeys(encoder.encode(text)))
terminal.onBinary((text) => sendKeys(Uint8Array.from(text, (character) => character.charCodeAt(0))))
terminal.onResize(({ cols, rows }) => send(JSON.stringify({ columns: cols, rows })))
// A terminal takes the key Tab, so that another key has to leave it.
terminal.attachCustomKeyEventHandler(({ key, type }) => {
  if (key !== "F6") return true
  if (type === "keydown") (close.hidden ? open : close).focus()
  return false
})
open.addEventListener("click", connect)
close.addEventListener("click", () => socket.close())
// Reading all output aloud makes the terminal slow, so that it is a choice.
const reader = frame.querySelector("[data-reader]")
reader.addEventListener("change", () => {
  terminal.options.screenReaderMode = reader.checked
})
reader.closest("label").hidden = false
open.hidden = false
