/** Tokens of both components; a page can set each of them. */
export const TOKENS = `
:host {
  all: initial;
  color-scheme: inherit;
  visibility: inherit;
  pointer-events: inherit;
  --_accent: var(--notification-accent, light-dark(#2456d6, #8fb0ff));
  --_on-accent: var(--notification-on-accent, light-dark(#fff, #0d1430));
  --_ground: var(--notification-ground, light-dark(#fff, #17191e));
  --_raised: var(--notification-raised, light-dark(#f4f5f7, #23262d));
  --_line: var(--notification-line, light-dark(#e1e4e8, #343841));
  --_text: var(--notification-text, light-dark(#1b1f24, #eceef1));
  --_faint: var(--notification-faint, light-dark(#5b6470, #a3abb8));
  --_error: var(--notification-error, light-dark(#b42318, #ff9c92));
  --_radius: var(--notification-radius, 6px);
  font: var(--notification-font, 14px/20px system-ui, sans-serif);
  color: var(--_text);
}
:host([theme=light]) { color-scheme: light }
:host([theme=dark]) { color-scheme: dark }
:host([hidden]), [hidden] { display: none !important }
* { box-sizing: border-box }
button, select { font: inherit; color: inherit; border: 0 }
button { background: none; padding: 0; cursor: pointer; border-radius: var(--_radius) }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px }
svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; display: block }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.problem { display: flex; gap: 12px; align-items: center; justify-content: space-between; color: var(--_error); padding: 12px 16px }
.plain { color: var(--_accent); padding: 4px 8px; font-weight: 500; white-space: nowrap }
.bone { background: var(--_raised); border-radius: 4px; height: 12px; width: 25%; margin: 6px 0 }
.bone:first-child { width: 65% }
h2 { font-size: 15px; line-height: 20px; font-weight: 600; margin: 0 }
@media (forced-colors: active) { button, select, .badge { border: 1px solid } }`;

export const INBOX_STYLE = `
:host { display: inline-block }
.bell { position: relative; display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50% }
.bell:hover, .bell[aria-expanded=true] { background: var(--_raised) }
.bell svg { width: 20px; height: 20px }
.badge { position: absolute; top: 2px; inset-inline-end: 0; min-width: 18px; height: 18px; padding: 0 5px; border-radius: 9px; background: var(--_accent); color: var(--_on-accent); font-size: 11px; line-height: 18px; font-weight: 600 }
.panel { position: fixed; inset: auto; margin: 0; padding: 0; width: min(400px, 100vw - 16px); border: 1px solid var(--_line); border-radius: calc(var(--_radius) + 4px); background: var(--_ground); color: var(--_text); box-shadow: 0 12px 32px rgb(0 0 0 / .18); overflow: hidden }
.panel:popover-open { display: flex; flex-direction: column }
.header { display: flex; flex-wrap: wrap; column-gap: 8px; align-items: center; justify-content: space-between; min-height: 48px; padding-block: 8px; padding-inline: 16px 8px; border-bottom: 1px solid var(--_line) }
.scroll { overflow-y: auto; overscroll-behavior: contain }
ul { list-style: none; margin: 0; padding: 0 }
li { position: relative; display: grid; grid-template-columns: auto 1fr auto; column-gap: 12px; align-items: start; padding-block: 12px; padding-inline: 24px 8px; border-bottom: 1px solid var(--_line) }
li:last-child { border-bottom: 0 }
li:hover { background: var(--_raised) }
li.unread::before { content: ""; position: absolute; inset-inline-start: 9px; top: 19px; border: 3.5px solid var(--_accent); border-radius: 50% }
img { width: 36px; height: 36px; object-fit: cover; border-radius: var(--_radius) }
.entry { grid-column: 2; display: block; width: 100%; text-align: start; color: inherit; text-decoration: none; overflow-wrap: anywhere; border-radius: 4px }
.entry::after { content: ""; position: absolute; inset: 0 }
.unread .entry { font-weight: 600 }
.body { margin: 2px 0; overflow-wrap: anywhere; white-space: pre-line; pointer-events: none }
.details { grid-column: 2 }
.own { position: relative; display: inline-block; margin: 6px 8px 0 0; padding: 3px 10px; border: 1px solid var(--_line); border-radius: var(--_radius); color: var(--_accent); text-decoration: none; overflow-wrap: anywhere }
.entry > span[dir], .body { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; width: fit-content }
.open :is(.entry > span[dir], .body) { -webkit-line-clamp: none }
.whole { position: relative; display: block; padding-inline: 0 }
@media (forced-colors: active) { .whole { padding-inline: 4px } }
.filter { min-height: 28px; margin-inline-start: auto; max-width: 50%; border-radius: var(--_radius); background: var(--_ground); color: var(--_faint) }
.undo { display: flex; align-items: center; justify-content: space-between; padding-block: 8px; padding-inline: 16px 8px; border-top: 1px solid var(--_line) }
time { display: block; color: var(--_faint); font-size: 12px; line-height: 18px; font-weight: 400 }
.actions { position: relative; z-index: 1; display: flex; flex-wrap: wrap; justify-content: end; grid-area: 1 / 3 / 3; max-width: 132px }
.menu { flex-basis: 100%; display: grid; justify-items: end }
.action { display: grid; place-items: center; width: 32px; height: 32px; color: var(--_faint) }
.action:hover { color: var(--_text); background: var(--_line) }
.empty { padding: 40px 24px; text-align: center; color: var(--_faint) }
.empty strong { display: block; color: var(--_text); font-weight: 600; margin-bottom: 4px }
.empty svg { width: 28px; height: 28px; margin: 0 auto 12px; stroke-width: 1.5 }
.skeleton { padding-block: 10px; padding-inline: 24px 16px }
.more { display: block; width: calc(100% - 16px); margin: 8px; padding: 8px; text-align: center }
@media (prefers-reduced-motion: no-preference) { li.new { animation: in .15s ease-out } @keyframes in { from { opacity: 0 } } }
@media (pointer: coarse) { .action { width: 40px; height: 40px } }`;

export const PREFERENCES_STYLE = `
:host { display: block; container-type: inline-size }
.grid { border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_ground) }
.grid:empty { display: none }
.row, .quiet { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; padding: 12px 16px }
.row { border-bottom: 1px solid var(--_line) }
.row:last-child { border-bottom: 0 }
.head { display: none }
fieldset { display: flex; flex-wrap: wrap; gap: 8px; border: 0; margin: 0; padding: 0; min-width: 0 }
legend { padding: 0 0 4px }
.quiet > legend { padding-block: 12px 0 }
.title { font-weight: 600; overflow-wrap: anywhere }
small { display: block; color: var(--_faint); font-weight: 400 }
label { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 32px }
label > span { color: var(--_faint) }
select, input[type=time] { min-width: 0; height: 32px; padding-block: 0; padding-inline: 8px 4px; font: inherit; border: 1px solid var(--_faint); border-radius: var(--_radius); background: var(--_ground); color: var(--_text) }
[role=switch] { appearance: none; position: relative; flex: none; width: 36px; height: 20px; margin: 0; border-radius: 10px; background: var(--_faint); cursor: pointer }
[role=switch]::after { content: ""; position: absolute; top: 2px; inset-inline-start: 2px; width: 16px; height: 16px; border-radius: 50%; background: var(--_ground) }
[role=switch]:checked { background: var(--_accent) }
[role=switch]:checked::after { inset-inline-start: 18px }
.box { justify-content: start; gap: 8px; padding-inline: 10px; border: 1px solid var(--_line); border-radius: var(--_radius); cursor: pointer }
.box:has(:checked) { border-color: var(--_accent) }
.box input { width: 16px; height: 16px; margin: 0; accent-color: var(--_accent) }
:disabled { opacity: .5; cursor: not-allowed }
.empty { padding: 32px 24px; text-align: center; color: var(--_faint) }
.skeleton { padding: 12px 16px }
.problem { padding: 0 0 12px }
.reset { margin: 8px 0 0; padding: 8px 0 }
@media (forced-colors: active) { [role=switch] { appearance: auto } [role=switch]::after { display: none } }
@container (min-width: 600px) {
  .row { grid-template-columns: minmax(140px, 2fr) repeat(var(--columns), minmax(84px, 1fr)); align-items: center; padding: 8px 16px }
  .head { display: grid; position: sticky; top: var(--notification-top, 0); z-index: 1; background: var(--_ground); border-radius: var(--_radius); color: var(--_faint); font-size: 12px; font-weight: 500; text-align: center }
  .row label { grid-column: var(--column); justify-content: center }
  .row .title { grid-column: 1 }
  .quiet { grid-template-columns: repeat(4, auto) 1fr; gap: 12px 24px }
  fieldset, .quiet .problem { grid-column: 1 / -1 }
  .row label > span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
}`;
