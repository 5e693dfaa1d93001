import { describeFields } from '../fields/field-texts.ts';
import {
  OwnProviderCredentials,
  ProviderOrderBody,
  ProviderOrderResponse,
  ProviderStatusResponse,
} from './provider-order.ts';

describeFields(ProviderOrderResponse, {
  channel: 'EMAIL, SMS or CALL.',
  ownOrder: "True if the order is the account's own.",
  order: [
    'Providers in order of preference.',
    {
      provider: 'The name of the provider.',
      own: "True if the provider is the account's own.",
    },
  ],
});

describeFields(ProviderOrderBody, {
  order: 'The names of the providers in order of preference.',
  credentials:
    "The credentials of the account's own providers, by their name in the order: what smtp, twilio or telnyx need. They are stored encrypted, never returned, and deleted with their entry. An entry that has them may omit them.",
});

describeFields(ProviderStatusResponse, {
  channels: [
    'One entry for each channel that has an order.',
    {
      channel: 'EMAIL, SMS or CALL.',
      ownOrder: "True if the order is the account's own.",
      order: [
        'Providers in order of preference.',
        {
          provider: 'The name of the provider.',
          own: "True if the provider is the account's own.",
          state:
            'closed: it gets messages. open: it is skipped after several certain failures in a row. probing: the next message tries it.',
          openUntil: 'Time when the next message may try the provider.',
          lastFailure: [
            'The last message within 15 days that the provider certainly did not accept.',
            {
              at: 'Time of the event.',
              reason: 'unreachable, busy, unavailable, account or sender.',
            },
          ],
        },
      ],
    },
  ],
});

describeFields(OwnProviderCredentials, {
  url: "An SMTP server's address with user and password, smtps://….",
  accountSid: "The provider's account.",
  authToken: "The account's token, which also signs callbacks.",
  messagingServiceSid: 'Chooses the number of text messages that specify none.',
  apiKey: "The provider's key.",
  publicKey: "The key that verifies the provider's callbacks.",
  applicationId: 'The TeXML application of calls.',
  messagingProfileId: 'Chooses the number of text messages that specify none.',
  from: 'The number that texts or calls come from.',
});
