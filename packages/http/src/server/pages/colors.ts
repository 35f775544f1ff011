/** The colors of the plain pages as CSS, in light and dark. Each pair of text and background has a contrast of 4.5. */
export const colors = `:root{color-scheme:light dark;--ok:light-dark(#176b34,#56c47a);--bad:light-dark(#b42318,#ff9389)}
body{background:light-dark(#ffffff,#0e1116);color:light-dark(#1b2430,#e6eaf0)}
a{color:light-dark(#1257b0,#7fb4ff)}
`
