/**
 * An SVG of `@chemstream/figures` as part of the page, so that pointer and keyboard can reach and choose its
 * points.
 *
 * Only the shapes and text of the SVG are used. Everything that could act on the page is removed.
 */
import { useEffect, useRef, useState } from "preact/hooks"

interface Properties {
  readonly svg: string
  /** Called with the title of a point when it is chosen. */
  readonly onChoose?: (title: string) => void
}

const allowed = new Set([
  ...["svg", "g", "title", "text", "tspan", "path", "rect", "circle", "line", "polyline", "polygon"],
  ...["defs", "clipPath", "ellipse"]
])

/** Returns the shapes of an SVG as elements of this document. */
const shapesOf = (svg: string): SVGSVGElement | undefined => {
  const parsed = new DOMParser().parseFromString(svg, "text/html").querySelector("svg")
  if (parsed === null) return undefined
  for (const element of [parsed, ...parsed.querySelectorAll<SVGElement>("*")]) {
    if (!allowed.has(element.tagName)) element.remove()
    for (const { name } of [...element.attributes]) {
      if (/^on|href$/i.test(name)) element.removeAttribute(name)
    }
  }
  return document.importNode(parsed, true)
}

/** Returns the points of a figure: the shapes with a title. */
const pointsOf = (shapes: SVGSVGElement): ReadonlyArray<SVGElement> =>
  [...shapes.querySelectorAll("title")].flatMap(({ parentElement }) => {
    const point: unknown = parentElement
    return point instanceof SVGElement && point !== shapes ? [point] : []
  })

const titleOf = (point: Element): string => point.querySelector("title")?.textContent ?? ""

/** The figure, with a description of the point under the pointer or the focus below it. */
export const InteractiveFigure = ({ onChoose, svg }: Properties) => {
  const container = useRef<HTMLDivElement>(null)
  const [description, setDescription] = useState("")
  useEffect(() => {
    const shapes = shapesOf(svg)
    if (shapes === undefined || container.current === null) return
    shapes.setAttribute("role", "group")
    const points = pointsOf(shapes)
    points.forEach((point, at) => {
      const title = titleOf(point)
      // The browser would show the title as a tooltip, beside the description below.
      point.querySelector("title")?.remove()
      point.setAttribute("tabindex", at === 0 ? "0" : "-1")
      point.setAttribute("role", onChoose === undefined ? "img" : "button")
      point.setAttribute("aria-label", title.replaceAll("\n", ", "))
      const describe = () => setDescription(title)
      point.addEventListener("pointerenter", describe)
      point.addEventListener("focus", describe)
      point.addEventListener("click", () => onChoose?.(title))
      point.addEventListener("keydown", ({ key }) => {
        if (key === "Enter") onChoose?.(title)
        const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0
        points[at + by]?.focus()
      })
    })
    container.current.replaceChildren(shapes)
  }, [svg, onChoose])
  return (
    <figure>
      <div ref={container} />
      <figcaption class="point-title">
        {description === "" ? "Point at a symbol to read its description." : description}
      </figcaption>
    </figure>
  )
}
