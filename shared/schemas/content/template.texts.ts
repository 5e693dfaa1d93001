import { describeFields } from '../fields/field-texts.ts';
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
