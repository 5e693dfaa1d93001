import { describeFields } from './field-texts.ts';
import {
  OwnProviderCredentials,
  ProviderOrderAnswer,
  ProviderOrderBody,
  ProviderStatusAnswer,
} from './provider-order.ts';

describeFields(ProviderOrderAnswer, {
  channel: 'EMAIL, SMS or CALL.',
  ownOrder: "True if the order is the account's own.",
  order: [
    'Providers in the order in which they are tried.',
    {
      provider: 'The name of the provider.',
      own: "True if the provider is the account's own.",
    },
  ],
});

describeFields(ProviderOrderBody, {
  order: 'The names of the providers in the order in which they are tried.',
  credentials: "The credentials of the account's own providers, by their name in the order.",
});

describeFields(ProviderStatusAnswer, {
  channels: [
    'One entry for each channel that has an order.',
    {
      channel: 'EMAIL, SMS or CALL.',
      ownOrder: "True if the order is the account's own.",
      order: [
        'Providers in the order in which they are tried.',
        {
          provider: 'The name of the provider.',
          own: "True if the provider is the account's own.",
          state:
            'closed: it gets messages. open: it is skipped after failures. probing: one message tries it.',
          openUntil: 'Time at which the next message may try the provider.',
          lastFailure: [
            'The last message that the provider certainly did not accept.',
            {
              at: 'Time of the event.',
              reason: 'The error that the provider, or the connection to it, reported.',
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
  publicKey: "The key with which the provider's callbacks are verified.",
  applicationId: 'The TeXML application of calls.',
  messagingProfileId: 'Chooses the number of text messages that specify none.',
  from: 'The number that texts or calls come from.',
});
