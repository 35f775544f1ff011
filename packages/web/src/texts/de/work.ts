import type { Texts } from "../Texts.ts"

/** German texts of the viewer's lists of issues, pull requests and notifications. */
export const work: Texts["work"] = {
  notifications: "Benachrichtigungen",
  unread: "Ungelesen",
  read: "Gelesen",
  none: "Keine Benachrichtigungen. Issues und Pull-Requests, denen Sie folgen, erscheinen hier.",
  markRead: "Als gelesen markieren",
  markUnread: "Als ungelesen markieren",
  markAll: "Alle als gelesen markieren",
  pinned: "Angeheftet",
  pin: "Anheften",
  unpin: "Lösen",
  issues: "Ihre Issues",
  pulls: "Ihre Pull-Requests",
  kinds: {
    assigned: "Zugewiesen",
    created_by: "Erstellt",
    mentioned: "Erwähnt",
    review_requested: "Review erbeten",
    reviewed_by: "Begutachtet"
  },
  noIssues: "Kein Issue passt.",
  milestones: "Ihre Meilensteine",
  noMilestones: "Keine Meilensteine. Die Meilensteine Ihrer und der Ihnen freigegebenen Repositorys erscheinen hier.",
  noPulls: "Kein Pull-Request passt.",
  about: (what) => `Benachrichtigung über ${what}`
}
