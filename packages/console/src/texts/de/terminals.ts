import type { terminals as english } from "../en/terminals.ts"

/** German texts of terminals. */
export const terminals: typeof english = {
  title: "Terminal",
  open: "Terminal öffnen",
  close: "Terminal schließen",
  screenReader: "Für Screenreader",
  choose: "Anzeigen",
  connecting: "Verbindung wird aufgebaut …",
  connected: "Verbunden. F6 verlässt das Terminal.",
  lost: "Die Verbindung ist abgebrochen. Öffnen Sie das Terminal erneut.",
  disabled:
    "Terminals sind auf dem Server dieser Ressource ausgeschaltet. Ein Administrator kann sie auf dessen Seite einschalten.",
  denied: "Sie dürfen hier kein Terminal öffnen: Es fehlt die Berechtigung terminal.",
  noContainers: "Kein Container läuft.",
  hint: "Öffnet eine Shell im Container. Das Audit-Log speichert, wer sie wie lange geöffnet hat, aber nicht den Inhalt.",
  needsScript:
    "Das Terminal braucht JavaScript. Ohne JavaScript führen Sie einen Befehl mit einer geplanten Aufgabe oder auf dem Server mit docker exec aus."
}
