import { BATCHING_TEXTS, DELIVERY_OPTION_TEXTS } from '../delivery/delivery.texts.ts';
import { describeFields } from '../fields/field-texts.ts';
import { CALL_SETTING_TEXTS, EMAIL_SETTING_TEXTS, SMS_SETTING_TEXTS } from '../sending/sending.texts.ts';
import { Component, ComponentChange, NewComponent } from './component.ts';
import {
  ChannelOptions,
  Deduplication,
  InappOptions,
  NotificationType,
  Throttling,
  TypeOptions,
} from './notification-type.ts';
import { NewNotificationType, NotificationTypeChange } from './notification-type-change.ts';
import {
  DefaultSelection,
  NewTemplate,
  Template,
  TemplateChange,
  TemplatePreview,
  TemplateVersion,
  TemplateVersionWithContent,
  TemplateWithContent,
  VariantQuery,
} from './template.ts';
import { MissingTranslation, TranslationLanguage } from './translations.ts';

describeFields(Component, {
  componentId: 'The ID of the component.',
  name: 'The name of the component.',
  internal: "The editor's representation.",
  internalPage: "The editor's representation of the page.",
  html: 'The HTML, as Liquid; templates embed it with {% component %}.',
  modifiedAt: 'Time of the last change.',
  referencedBy: [
    'The templates that embed it.',
    {
      channel: 'Always EMAIL.',
    },
  ],
  channel: 'Always EMAIL.',
});

describeFields(ComponentChange, {}, Component);

describeFields(NewComponent, {}, Component);

const TRANSLATION_TEXTS = [
  'The title and category in other languages, by language tag.',
  { title: 'The title in the language.', category: 'The category in the language.' },
] as const;

const OPTION_TEXTS = {
  SMS: 'The delivery options on SMS.',
  CALL: 'The delivery options on CALL.',
  PUSH: 'The delivery options on PUSH.',
  WEB_PUSH: 'The delivery options on WEB_PUSH.',
  CHAT: 'The delivery options on CHAT.',
  email: ['Settings of its emails, which a request may change.', EMAIL_SETTING_TEXTS],
  sms: ['Settings of its text messages, which a request may change.', SMS_SETTING_TEXTS],
  call: ['Settings of its calls, which a request may change.', CALL_SETTING_TEXTS],
} as const;

describeFields(ChannelOptions, DELIVERY_OPTION_TEXTS);

describeFields(Deduplication, {
  duration: 'The length of the window in seconds; 0 means indefinitely.',
});

describeFields(InappOptions, {
  defaultDeliveryOption: 'The delivery option of users without a preference.',
  off: 'Sends nothing.',
  instant: 'Sends each item immediately.',
  ...BATCHING_TEXTS,
});

describeFields(
  NotificationType,
  {
    translations: TRANSLATION_TEXTS,
    templates: [
      'The templates by channel.',
      {
        channel: 'The channel of the templates.',
        templateIds: 'IDs of templates.',
      },
    ],
  },
  NewNotificationType,
);

describeFields(Throttling, {
  max: 'The maximum number of notifications in any period, or in all without a period.',
  period: 'The length of the rolling window, in units; at most two years.',
  unit: 'The unit of the period.',
  forever: 'True if the limit applies indefinitely.',
  scope: 'Fields that the limit groups by.',
});

describeFields(TypeOptions, {
  EMAIL: 'The delivery options on EMAIL.',
  INAPP_WEB: 'The delivery options on INAPP_WEB.',
  ...OPTION_TEXTS,
});

describeFields(NewNotificationType, {
  title: 'The name that users see.',
  category: 'The heading under which preferences show the type.',
  translations: TRANSLATION_TEXTS,
  required: 'True if users cannot turn it off on any channel. It overrides off in options.',
  channels: 'The channels that it is sent on.',
  enabled: 'True if notifications of the type are sent.',
  deduplication: [
    'Rejects duplicates within the window.',
    {
      duration: 'The length of the window in seconds; 0 means indefinitely.',
    },
  ],
  throttling: [
    'Limits how many notifications a user gets.',
    {
      max: 'The maximum number of notifications in the window.',
      period: 'The length of the window, in units.',
      unit: 'The unit of the period.',
      forever: 'True if the limit applies indefinitely.',
      scope: 'Fields that the limit groups by: userId and notificationId.',
    },
  ],
  retention: 'Number of days that logs of this type are kept.',
  options: [
    'Which delivery options each channel offers.',
    {
      EMAIL: ['The delivery options on EMAIL.', { ...DELIVERY_OPTION_TEXTS, ...BATCHING_TEXTS }],
      INAPP_WEB: [
        'The delivery options on INAPP_WEB.',
        {
          ...BATCHING_TEXTS,
          defaultDeliveryOption: 'The delivery option of users without a preference.',
          off: 'Sends nothing.',
          instant: 'Sends each item immediately.',
          hourly: 'Collects items until the full hour.',
          daily: 'Collects items until the hour, every day.',
          weekly: 'Collects items until the day and hour, every week.',
          monthly: 'Collects items until the first or last day of the month.',
        },
      ],
      ...OPTION_TEXTS,
    },
  ],
  steps: 'The order of the channels.',
  urgent: 'True if it ignores pauses and quiet hours without floor.',
  exemptFromFloor: 'True if urgent notifications of the type ignore quiet hours with floor too.',
  quietHours:
    "Quiet hours for users without their own, instead of the account's; those with floor apply to all users, with the account's.",
  sensitive: 'True if its content, such as a login code, is shown nowhere and removed after sending.',
  parametersSchema:
    'JSON Schema (2020-12) that the parameters of each request must match; at most 16 KB, with references into itself only.',
  purpose: 'transactional (the default) or marketing, which people can always turn off.',
});

describeFields(NotificationTypeChange, {}, NewNotificationType);

describeFields(DefaultSelection, {
  templateId: 'The template that becomes the default.',
  modes: 'The delivery modes that it becomes the default of.',
});

describeFields(
  NewTemplate,
  {
    templateId: 'The ID of the template; generated if absent.',
    locale:
      'The language of the variant (BCP 47), such as de, for users with that locale; the default variant has none.',
  },
  TemplateWithContent,
);

describeFields(Template, {
  locale: 'The language of the variant; the default variant has none.',
  channel: 'The channel of the template.',
  default: 'True if it is the default for instant delivery.',
  isDefaultFor: 'The delivery modes that the template is the default for.',
});

const VERSION_TEXTS = {
  version: 'The number of the version, which grows; of a draft, the version that it began with.',
  createdAt: 'The time when it was saved.',
  by: 'The ID of the member or key that saved it.',
};
describeFields(TemplateVersion, VERSION_TEXTS);
describeFields(TemplateVersionWithContent, VERSION_TEXTS, TemplateWithContent);

describeFields(TemplateChange, {}, TemplateWithContent);

describeFields(TemplatePreview, {
  template: 'The content of the template, by the fields of its channel.',
  parameters: 'Values for the templates; any JSON. By default the samples of the template.',
  attributes: "The user's attributes.",
  items:
    'The parameters of each item of a digest. By default _items of the samples, without parameters and unless mode is instant.',
  mode: 'The delivery mode to render for. By default instant, or daily if there are items.',
  locale: "The language to render in, by default the account's.",
});

describeFields(
  TemplateWithContent,
  {
    samples:
      'Values of its variables for previews and tests, at most 32 KB. Derived from its texts when it is first saved, and again with null. _items has the items of a digest.',
    html: 'EMAIL: the HTML, as Liquid. It may embed up to 20 components.',
    layout:
      'EMAIL: the component with {{ content }} that the HTML is shown in; null for none, even if the account has a default; empty for the default of the account.',
    previewText: 'EMAIL: the text after the subject in inboxes.',
    internal: "EMAIL: the editor's representation, which is not rendered.",
    subject: 'EMAIL: the subject, as Liquid.',
    senderName: "EMAIL: the sender's display name.",
    senderEmail: "EMAIL: the sender's address, on a verified domain of the account.",
    title: 'INAPP_WEB, PUSH and WEB_PUSH: the title, as Liquid.',
    body: 'INAPP_WEB: more text below the title, as Liquid; plain text.',
    actions: [
      'INAPP_WEB: up to two buttons.',
      { label: 'The text of the button, as Liquid.', url: 'The URL that it opens.' },
    ],
    instant: [
      'INAPP_WEB: the content of a single item.',
      {
        title: 'The title, as Liquid.',
      },
    ],
    batch: [
      'INAPP_WEB: the content that represents several items.',
      {
        title: 'The title, as Liquid.',
      },
    ],
    text: 'EMAIL, SMS, CALL and CHAT: the text, as Liquid.',
    message: 'PUSH and WEB_PUSH: the text, as Liquid.',
    icon: 'WEB_PUSH and CHAT: the URL of an image; in chat also an emoji.',
    image: 'The URL of a large image.',
    url: 'The URL that a click opens.',
    blocks: 'CHAT: blocks of the message, as the chat provider defines them, at most 50.',
    username: 'CHAT: the name under which the message is sent.',
  },
  Template,
);

describeFields(VariantQuery, {
  locale: 'The language of the variant; without it, the default variant.',
});

describeFields(TemplatePreview.entries.template, {}, TemplateWithContent);

describeFields(MissingTranslation, {
  key: 'The key of the translation.',
  found: 'The language that was used instead; absent: the key is shown.',
});

describeFields(TranslationLanguage, {
  locale: 'A language tag (BCP 47), such as de or pt-BR.',
  keyCount: 'Number of texts in the language.',
});
