import type { Channel } from '../../shared/schemas/channel.ts';

/** What the page tells: whose message it was, what it was about, and whether the account lets it be turned off. */
export type LinkFacts = {
  accountName: string;
  logo?: string;
  title: string;
  channel: Channel;
  canBeOff: boolean;
};

const MESSAGES: Record<Channel, string> = {
  EMAIL: 'e-mails',
  INAPP_WEB: 'in-app notifications',
  SMS: 'text messages',
  CALL: 'calls',
  PUSH: 'push notifications',
  WEB_PUSH: 'browser notifications',
  CHAT: 'chat messages',
};

/** The page asks before (`ask`) and tells after (`done`). Plain HTML that works without scripts; all values escaped. */
export function unsubscribePage(facts: LinkFacts, state: 'ask' | 'done'): string {
  const about = `<strong>${escapeHtml(facts.title)}</strong> ${MESSAGES[facts.channel]}`;
  const sender = facts.accountName === '' ? '' : ` from ${escapeHtml(facts.accountName)}`;
  const { heading, body } = contentOf(facts, state, about, sender);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${heading}${facts.accountName === '' ? '' : ` – ${escapeHtml(facts.accountName)}`}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${brandOf(facts)}<h1>${heading}</h1>
${body}
</main>
</body>
</html>
`;
}

function contentOf(facts: LinkFacts, state: 'ask' | 'done', about: string, sender: string) {
  if (!facts.canBeOff) {
    const reason = `${escapeHtml(facts.accountName || 'The sender')} has marked them as always on.`;
    return {
      heading: 'This cannot be turned off',
      body: `<p role="status">You keep getting ${about}. ${reason}</p>`,
    };
  }
  if (state === 'done') {
    return {
      heading: 'You are unsubscribed',
      body: `<p role="status">You will get no more ${about}${sender}. You can close this page.</p>`,
    };
  }
  return {
    heading: 'Unsubscribe',
    body: `<p>Do you want to stop getting ${about}${sender}?</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">Unsubscribe</button>
</form>
<p class="note">Nothing changes until you press the button.</p>`,
  };
}

function brandOf({ logo, accountName }: LinkFacts): string {
  if (logo !== undefined && /^https:\/\//i.test(logo)) {
    return `<p class="brand"><img src="${escapeHtml(logo)}" alt="${escapeHtml(accountName)}" height="48"></p>\n`;
  }
  return accountName === '' ? '' : `<p class="brand">${escapeHtml(accountName)}</p>\n`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const POLICY =
  "default-src 'none'; img-src https:; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'";

const STYLE = `
:root { color-scheme: light dark; --text: #1b1b1f; --soft: #55555f; --page: #f4f4f6; --card: #fff; --act: #1f4fbf; --on: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #f2f2f5; --soft: #b9b9c4; --page: #131316; --card: #1f1f24; --act: #a9c1ff; --on: #10131c; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--page); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 8vh auto 0; padding: 2rem; background: var(--card); border-radius: .75rem; overflow-wrap: anywhere; }
.brand { margin: 0 0 1.5rem; font-weight: 600; }
.brand img { display: block; max-width: 100%; height: 3rem; object-fit: contain; object-position: left; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1.25rem; }
button { min-height: 2.75rem; padding: .5rem 1.5rem; border: 0; border-radius: .5rem; background: var(--act); color: var(--on); font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--text); outline-offset: 3px; }
.note { margin: 1.25rem 0 0; color: var(--soft); font-size: .9375rem; }
`;
