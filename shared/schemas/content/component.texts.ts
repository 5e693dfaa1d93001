import { describeFields } from '../fields/field-texts.ts';
import { Component, ComponentChange, NewComponent } from './component.ts';

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
