import './progress.css'

/** A line across the top of what is being read; it takes no room. */
export function Progress({ isBusy, label }: { readonly isBusy: boolean; readonly label: string }) {
  return (
    <div class="progress" role="status">
      {isBusy && (
        <span class="progress-line">
          <span class="aside">{label}</span>
        </span>
      )}
    </div>
  )
}
