import type { Texts } from "../Texts.ts"

/** German texts about activities in repositories. */
export const activity: Texts["activity"] = {
  title: "Aktivität",
  period: "Zeitraum",
  periods: {
    daily: "1 Tag",
    halfweekly: "3 Tage",
    weekly: "1 Woche",
    monthly: "1 Monat",
    quarterly: "3 Monate",
    semiyearly: "6 Monate",
    yearly: "1 Jahr"
  },
  numbers: "Zahlen",
  event: "Ereignis",
  count: "Anzahl",
  commits: "Commits",
  issuesOpened: "Issues eröffnet",
  issuesClosed: "Issues geschlossen",
  pullsOpened: "Pull-Requests eröffnet",
  pullsMerged: "Pull-Requests zusammengeführt",
  pullsClosed: "Pull-Requests ohne Merge geschlossen",
  releases: "Releases veröffentlicht",
  latest: "Letzte Aktivität",
  none: "Noch keine Aktivität. Pushes, Issues, Pull-Requests und Releases erscheinen hier.",
  rss: "RSS-Feed",
  atom: "Atom-Feed",
  feedOf: (name) => `Aktivität von ${name}`,
  somebody: "Jemand",
  verbs: {
    create_repo: "hat das Repository erstellt:",
    rename_repo: "hat das Repository umbenannt in",
    edit_repo: "hat die Einstellungen geändert:",
    commit_repo: "hat gepusht:",
    push_tag: "hat das Tag gepusht:",
    delete_branch: "hat einen Branch gelöscht:",
    delete_tag: "hat ein Tag gelöscht:",
    create_issue: "hat das Issue eröffnet:",
    close_issue: "hat das Issue geschlossen:",
    reopen_issue: "hat das Issue wieder geöffnet:",
    comment_issue: "hat das Issue kommentiert:",
    create_pull_request: "hat den Pull-Request eröffnet:",
    close_pull_request: "hat den Pull-Request geschlossen:",
    reopen_pull_request: "hat den Pull-Request wieder geöffnet:",
    comment_pull: "hat den Pull-Request kommentiert:",
    merge_pull_request: "hat den Pull-Request zusammengeführt:",
    publish_release: "hat das Release veröffentlicht:"
  }
}
