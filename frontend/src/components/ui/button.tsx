import { cva, type VariantProps } from 'class-variance-authority'
import { Plus, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'

import { cn } from '@/lib/cn'

const button = cva(
  'inline-flex items-center justify-center gap-2 rounded-md text-sm font-medium whitespace-nowrap transition-colors disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-primary text-primary-foreground not-disabled:hover:bg-primary/90',
        outline: 'border border-input bg-card not-disabled:hover:bg-muted',
        ghost: 'not-disabled:hover:bg-muted',
        danger: 'bg-danger text-background not-disabled:hover:bg-danger/90',
      },
      size: { md: 'min-h-10 px-4', sm: 'min-h-8 px-3', icon: 'size-10' },
    },
    defaultVariants: { variant: 'outline', size: 'md' },
  },
)

interface Look extends VariantProps<typeof button> {
  /** Stands before the text; not read out. */
  icon?: LucideIcon | undefined
}

function Face({ icon: Icon, children }: { icon: LucideIcon | undefined; children: ReactNode }) {
  return (
    <>
      {Icon && <Icon aria-hidden />}
      {children}
    </>
  )
}

interface ButtonProps extends Look, ComponentProps<'button'> {
  /** Whether what it switches is on. */
  pressed?: boolean | undefined
}

/** Outlined, unless it submits a form. */
export function Button(props: ButtonProps) {
  const { variant, size, icon, children, type = 'button', pressed, ...rest } = props
  const usual = type === 'submit' ? 'primary' : 'outline'
  const className = cn(
    button({ variant: variant ?? usual, size }),
    pressed && 'bg-accent text-accent-foreground',
    rest.className,
  )
  return (
    <button aria-pressed={pressed} {...{ ...rest, type, className }}>
      <Face icon={icon}>{children}</Face>
    </button>
  )
}

/** A button of an icon alone. */
export function IconButton({ label, ...rest }: ButtonProps & { label: string }) {
  return <Button variant="ghost" size="icon" aria-label={label} {...rest} />
}

/** Adds one to a list. */
export function AddButton(props: Omit<ButtonProps, keyof Look>) {
  return <Button variant="primary" size="sm" icon={Plus} {...props} />
}

type LinkProps = Look & (ComponentProps<typeof Link> | (ComponentProps<'a'> & { to?: never }))

/** A link with the looks of a button: `to` a page, or the `href` of a file. */
export function ButtonLink({ variant, size, icon, children, ...rest }: LinkProps) {
  const className = cn(button({ variant, size }), rest.className)
  const face = <Face icon={icon}>{children}</Face>
  if (rest.to !== undefined) return <Link {...{ ...rest, className }}>{face}</Link>
  return <a {...{ ...rest, className }}>{face}</a>
}

interface TextLinkProps extends ComponentProps<typeof Link> {
  /** In the colour of the text around it. */
  plain?: boolean
}

/** A link in a text. */
export function TextLink({ plain = false, className, ...rest }: TextLinkProps) {
  const classes = cn(!plain && 'text-primary', 'underline underline-offset-2', className)
  return <Link className={classes} {...rest} />
}
