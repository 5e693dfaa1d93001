import { escapeHtml } from '../../shared/http/escape-html.ts';
import { renderPage } from '../../shared/http/page.ts';
import type { Channel } from '../../shared/schemas/channel.ts';

/** The sender, what the message was about, and whether the account lets it be turned off. */
export type LinkFacts = {
  accountName: string;
  logo?: string;
  title: string;
  channel: Channel;
  canBeOff: boolean;
};

const MESSAGES: Record<Channel, string> = {
  EMAIL: 'emails',
  INAPP_WEB: 'in-app notifications',
  SMS: 'text messages',
  CALL: 'calls',
  PUSH: 'push notifications',
  WEB_PUSH: 'browser notifications',
  CHAT: 'chat messages',
};

/** Addresses on the page: where to undo, and where all choices are. */
export type PageLinks = { preferences: string };

/** Asks before (`ask`) and reports after (`done`, `undone`). All values are escaped. */
export function unsubscribePage(
  facts: LinkFacts,
  state: 'ask' | 'done' | 'undone',
  links: PageLinks,
): string {
  const about = `<strong>${escapeHtml(facts.title)}</strong> ${MESSAGES[facts.channel]}`;
  const sender = facts.accountName === '' ? '' : ` from ${escapeHtml(facts.accountName)}`;
  const { heading, body } = contentOf(facts, state, about, sender);
  const all = `<p class="note"><a href="${escapeHtml(links.preferences)}">Choose what you get</a></p>`;
  return renderPage({ ...facts, heading, body: `${body}\n${all}` });
}

function contentOf(facts: LinkFacts, state: 'ask' | 'done' | 'undone', about: string, sender: string) {
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
      body: `<p role="status">You will get no more ${about}${sender}. You can close this page.</p>
<form method="post" action="?undo=true">
<button type="submit" class="quiet">Undo</button>
</form>`,
    };
  }
  if (state === 'undone') {
    return {
      heading: 'You are subscribed again',
      body: `<p role="status">You will keep getting ${about}${sender}. You can close this page.</p>`,
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
