/** English texts of terminals. */
export const terminals = {
  title: "Terminal",
  open: "Open terminal",
  close: "Close terminal",
  screenReader: "Screen reader support",
  choose: "Show",
  connecting: "Connecting …",
  connected: "Connected. F6 leaves the terminal.",
  lost: "The connection was lost. Open the terminal again.",
  disabled: "Terminals are disabled on the server of this resource. An administrator can enable them on its page.",
  denied: "You may not open a terminal here: the capability terminal is missing.",
  noContainers: "No container runs.",
  hint: "Opens a shell in the container. The audit log records who opened it and for how long, but not the content.",
  needsScript:
    "The terminal needs JavaScript. Without it, run a command with a scheduled task, or use docker exec on the server."
}
