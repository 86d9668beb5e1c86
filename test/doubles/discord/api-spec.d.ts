/** The schemas that are used of the official specification; the package types none of them. */
declare module "discord-api-spec/zod" {
  import type { $ZodType } from "zod/v4/core";

  export const ActionRowComponentForMessageRequestSchema: $ZodType;
  export const ActionRowComponentForModalRequestSchema: $ZodType;
  export const ApplicationCommandUpdateRequestSchema: $ZodType;
  export const ButtonComponentForMessageRequestSchema: $ZodType;
  export const ChannelSelectComponentForMessageRequestSchema: $ZodType;
  export const CheckboxComponentForModalRequestSchema: $ZodType;
  export const CheckboxGroupComponentForModalRequestSchema: $ZodType;
  export const ContainerComponentForMessageRequestSchema: $ZodType;
  export const CreatePrivateChannelRequestSchema: $ZodType;
  export const CreateTextThreadWithMessageRequestSchema: $ZodType;
  export const CreateTextThreadWithoutMessageRequestSchema: $ZodType;
  export const FileComponentForMessageRequestSchema: $ZodType;
  export const FileUploadComponentForModalRequestSchema: $ZodType;
  export const IncomingWebhookInteractionRequestSchema: $ZodType;
  export const IncomingWebhookRequestPartialSchema: $ZodType;
  export const IncomingWebhookUpdateForInteractionCallbackRequestPartialSchema: $ZodType;
  export const IncomingWebhookUpdateRequestPartialSchema: $ZodType;
  export const LabelComponentForModalRequestSchema: $ZodType;
  export const MediaGalleryComponentForMessageRequestSchema: $ZodType;
  export const MentionableSelectComponentForMessageRequestSchema: $ZodType;
  export const MessageCreateRequestSchema: $ZodType;
  export const MessageEditRequestPartialSchema: $ZodType;
  export const ModalInteractionCallbackRequestDataSchema: $ZodType;
  export const RadioGroupComponentForModalRequestSchema: $ZodType;
  export const RoleSelectComponentForMessageRequestSchema: $ZodType;
  export const SectionComponentForMessageRequestSchema: $ZodType;
  export const SeparatorComponentForMessageRequestSchema: $ZodType;
  export const StringSelectComponentForMessageRequestSchema: $ZodType;
  export const StringSelectComponentForModalRequestSchema: $ZodType;
  export const TextDisplayComponentForMessageRequestSchema: $ZodType;
  export const TextInputComponentForModalRequestSchema: $ZodType;
  export const ThumbnailComponentForMessageRequestSchema: $ZodType;
  export const UpdateThreadRequestPartialSchema: $ZodType;
  export const UserSelectComponentForMessageRequestSchema: $ZodType;
}
