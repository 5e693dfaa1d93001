import type { ChatDelivery } from '../channel.ts';

type Content = ChatDelivery['content'];

/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
export const discordBodyOf = ({ text, username, icon }: Content) => ({
  content: text,
  username,
  avatar_url: icon?.startsWith('https:') ? icon : undefined,
  allowed_mentions: { parse: [] },
});

/** https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using */
export const teamsBodyOf = ({ text }: Content) => ({
  type: 'message',
  attachments: [
    { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card(text) },
  ],
});

/** Runs of text are shown as they are: a TextBlock would read links out of them. */
const card = (text = '') => ({
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  type: 'AdaptiveCard',
  version: '1.4',
  body: text
    .split('\n')
    .map((line) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: line || ' ' }] })),
});
